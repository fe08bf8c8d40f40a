/** Compacts an etcd to its current revision through its JSON gateway. Returns the revision. */
export async function compactEtcd(url: string): Promise<string> {
  const post = async (path: string, body: object): Promise<{ header: { revision: string } }> => {
    const response = await fetch(`${url}${path}`, { method: "POST", body: JSON.stringify(body) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
    return JSON.parse(text) as { header: { revision: string } };
  };
  const { header } = await post("/v3/kv/range", { key: btoa("compact"), count_only: true });
  await post("/v3/kv/compaction", { revision: header.revision, physical: true });
  return header.revision;
}
