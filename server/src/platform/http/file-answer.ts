import type { Readable } from "node:stream";
import type { FastifyReply } from "fastify";

/** A file answered by a call. A stream is destroyed when the client disconnects; a small file is sent as a whole. */
export interface FileAnswer {
  /** File name for saving. */
  name: string;
  content: Readable | string;
  /** Shown in the browser instead of saved. */
  isShown?: boolean;
  /** The content of this address never changes: browsers may cache it. */
  isLasting?: boolean;
  /** Called when the file has been sent completely; not when the download was cancelled or failed. */
  onSent?: () => Promise<unknown>;
}

/** Content-Disposition by RFC 6266: an ASCII name for old browsers, and the real one. */
const disposition = (name: string, isShown: boolean): string => {
  const plain = name.replace(/[^\w.-]+/g, "_");
  const written = encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  return `${isShown ? "inline" : "attachment"}; filename="${plain}"; filename*=UTF-8''${written}`;
};

/** Cached for a year, but not by shared caches. */
const lasting = "private, max-age=31536000, immutable";

/** Answers with a file of this media type, to be saved or shown. */
export const sendFile = (
  reply: FastifyReply,
  mediaType: string,
  { name, content, isShown = false, isLasting = false, onSent }: FileAnswer,
): FastifyReply => {
  reply.raw.once("finish", () => {
    onSent?.().catch((fault: unknown) =>
      reply.log.error({ err: fault }, "A download was sent, but its follow-up work failed"),
    );
  });
  return reply
    .type(mediaType)
    .header("content-disposition", disposition(name, isShown))
    .header("cache-control", isLasting ? lasting : "no-store")
    .send(content);
};
