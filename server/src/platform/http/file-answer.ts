import type { Readable } from "node:stream";
import type { FastifyReply } from "fastify";

/** A file that a call answers. The stream is destroyed when whoever asked goes away. */
export interface FileAnswer {
  /** What the file is called where it is saved. */
  name: string;
  content: Readable;
  /** The browser shows it, instead of saving it. */
  isShown?: boolean;
  /** What this address answers never changes: browsers may keep it. */
  isLasting?: boolean;
  /** Called when all of it has been sent; not when the download was cancelled or failed. */
  onSent?: () => Promise<unknown>;
}

/** RFC 6266: a plain name for old browsers, and the right one. */
const disposition = (name: string, isShown: boolean): string => {
  const plain = name.replace(/[^\w.-]+/g, "_");
  const written = encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  return `${isShown ? "inline" : "attachment"}; filename="${plain}"; filename*=UTF-8''${written}`;
};

/** A year, which is as long as a cache keeps anything; none that several people share. */
const lasting = "private, max-age=31536000, immutable";

/** Answers with a file of this media type, to be saved or shown. */
export const sendFile = (
  reply: FastifyReply,
  mediaType: string,
  { name, content, isShown = false, isLasting = false, onSent }: FileAnswer,
): FastifyReply => {
  reply.raw.once("finish", () => {
    onSent?.().catch((fault: unknown) => reply.log.error({ err: fault }, "What follows a download was not done"));
  });
  return reply
    .type(mediaType)
    .header("content-disposition", disposition(name, isShown))
    .header("cache-control", isLasting ? lasting : "no-store")
    .send(content);
};
