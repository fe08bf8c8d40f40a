// A DNS provider for the tutorial: a small HTTP API that keeps its records in memory. Run it with `node provider/server.mjs`.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";

const port = Number(process.env.PORT ?? 8700);
const records = new Map();

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, "http://localhost");
  const [, collection, id] = pathname.split("/");
  const answer = (status, body) => {
    console.log(`${request.method} ${request.url} ${status}`);
    response.writeHead(status, { "content-type": "application/json" });
    response.end(body === undefined ? undefined : `${JSON.stringify(body, undefined, 2)}\n`);
  };
  try {
    if (collection !== "records") return answer(404, { error: "not found" });
    if (id === undefined && request.method === "GET") {
      const owner = searchParams.get("owner");
      return answer(
        200,
        [...records.values()].filter((record) => owner === null || record.owner === owner),
      );
    }
    if (id === undefined && request.method === "POST") {
      const record = { ...(await bodyOf(request)), id: `r-${randomUUID().slice(0, 8)}` };
      records.set(record.id, record);
      return answer(201, record);
    }
    if (!records.has(id)) return answer(404, { error: `no record ${id}` });
    if (request.method === "PUT") {
      records.set(id, { ...(await bodyOf(request)), id });
      return answer(200, records.get(id));
    }
    if (request.method === "DELETE") {
      records.delete(id);
      return answer(204);
    }
    return answer(405, { error: "method not allowed" });
  } catch (error) {
    return answer(400, { error: error.message });
  }
});

async function bodyOf(request) {
  let text = "";
  for await (const chunk of request) text += chunk;
  return JSON.parse(text);
}

server.listen(port, "127.0.0.1", () => console.log(`listening on http://127.0.0.1:${server.address().port}`));
