/** Codes of the first packet of a connection. (PostgreSQL's documentation, 'Message Formats') */
const tlsRequest = 80_877_103;
const encryptionRequest = 80_877_104;
const cancelRequest = 80_877_102;
const protocolMajor = 3;

/** Longest first packet, bytes: PostgreSQL's own limit. */
const longestStart = 10_000;
const shortestStart = 8;

/** What a client says first. */
export type Opening =
  | { kind: "tls" | "encryption" | "cancel" | "unknown" }
  | { kind: "start"; user: string; database: string };

const parametersOf = (body: Buffer): Map<string, string> => {
  const texts = body.toString("utf8").split("\0");
  const pairs = new Map<string, string>();
  for (let at = 0; at + 1 < texts.length && texts[at]; at += 2) pairs.set(texts[at] ?? "", texts[at + 1] ?? "");
  return pairs;
};

/**
 * Reads the first packet of a client: it and its length in bytes, or undefined while it is not complete. Anything that is none is of kind 'unknown'.
 */
export const readOpening = (bytes: Buffer): { opening: Opening; length: number } | undefined => {
  if (bytes.length < shortestStart) return undefined;
  const [length, code] = [bytes.readInt32BE(0), bytes.readInt32BE(4)];
  if (length < shortestStart || length > longestStart) return { opening: { kind: "unknown" }, length: bytes.length };
  if (bytes.length < length) return undefined;
  if (code === tlsRequest) return { opening: { kind: "tls" }, length };
  if (code === encryptionRequest) return { opening: { kind: "encryption" }, length };
  if (code === cancelRequest) return { opening: { kind: "cancel" }, length };
  if (code >> 16 !== protocolMajor) return { opening: { kind: "unknown" }, length };
  const given = parametersOf(bytes.subarray(shortestStart, length));
  const user = given.get("user") ?? "";
  return { opening: { kind: "start", user, database: given.get("database") ?? user }, length };
};

/** A fatal error as PostgreSQL sends it before it closes a connection. */
export const fatalError = (code: string, message: string): Buffer => {
  const fields = [`SFATAL`, `VFATAL`, `C${code}`, `M${message}`].map((field) => `${field}\0`).join("");
  const body = Buffer.from(`${fields}\0`);
  const head = Buffer.alloc(5);
  head.write("E");
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};

/** Message type and content of 'authentication successful'. */
const authentication = "R".charCodeAt(0);
const authenticated = 0;

/**
 * Returns a function that gets PostgreSQL's first messages, in pieces as they come, and answers whether the client is authenticated by them; once it is,
 * or the messages go on without it, it need not be asked again.
 */
export const createAuthenticationReader = (): ((piece: Buffer) => boolean) => {
  let rest = Buffer.alloc(0);
  return (piece) => {
    rest = Buffer.concat([rest, piece]);
    while (rest.length >= 5) {
      const end = 1 + rest.readInt32BE(1);
      if (rest.length < end) return false;
      if (rest[0] === authentication && end >= 9 && rest.readInt32BE(5) === authenticated) return true;
      rest = rest.subarray(end);
    }
    return false;
  };
};
