/** The user who sends a request. */
export interface UserInfo {
  name: string;
  uid?: string;
  groups: string[];
  extra?: Record<string, string[]>;
}

/** A request as the transport received it. */
export interface ApiRequest {
  method: string;
  /** Path and query, for example `/api/v1/pods?limit=5`. */
  url: string;
  /** Header fields by their names in lower case. */
  headers: Record<string, string | string[] | undefined>;
  body?: Uint8Array | string;
  /**
   * Reads the body, if the transport hasn't read it yet: requests that are refused don't use memory for their bodies.
   *
   * @returns the body; undefined if there is none
   * @throws StatusError if it is too large or doesn't arrive in time
   */
  readBody?: () => Promise<Uint8Array | undefined>;
  /** The user that the transport has authenticated, for example by a client certificate. */
  user?: UserInfo;
  /** Aborted when the client is gone. Ends streams. */
  signal?: AbortSignal;
}

/** A part of a stream: text, or bytes of protobuf. */
export type StreamChunk = string | Uint8Array;

/** A stream of text or of bytes. It is pulled, so that a slow reader holds back only itself. */
export interface AnswerStream extends AsyncIterable<StreamChunk> {
  /**
   * Sends the chunks to a sink instead of an iterator, in as few writes as possible.
   *
   * @param sink - `write` returns false when it takes no more until `onDrain`'s function is called
   */
  pipe(sink: StreamSink): void;
}

/** The receiver of a stream. */
export interface StreamSink {
  write(chunk: StreamChunk): boolean;
  onDrain(resume: () => void): void;
  end(): void;
}

/** The response to a request: a body, or a stream for watches. */
export interface Answer {
  status: number;
  headers: Record<string, string | string[]>;
  body?: string | Uint8Array;
  stream?: AnswerStream;
  /** Whether the stream, or the body if it is large, may be sent compressed. */
  compressible?: boolean;
}
