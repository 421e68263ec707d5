import pino, { type DestinationStream, type Level, type Logger } from "pino";
import { codeOf, fieldOf } from "./fault.ts";

/**
 * Why something failed, for anybody to hear. Texts of the operating system name paths and addresses, and those of a refused sign-in
 * names; of these only the code is told.
 */
export const plainReason = (fault: unknown): string => {
  if (!(fault instanceof Error)) return String(fault);
  const { message } = fault;
  const code = codeOf(fault);
  if (code === undefined) return message;
  // What PostgreSQL says has a severity, and an SQLSTATE as code. Class 28: invalid authorization; 3D: no such database.
  if (fieldOf(fault, "severity") === undefined) return code;
  return /^(28|3D)/.test(code) ? `The database can't be signed in to (${code})` : message;
};

/** Names under which a secret could end up in a log line, at the top or one level down. */
const secrets = ["token", "accessToken", "access_token", "supportToken", "password", "newPwd", "originalPwd"];

interface LoggedRequest {
  id?: unknown;
  method?: unknown;
  ip?: unknown;
  routeOptions?: { url?: string | undefined };
}

/** The route's pattern stands for the address: addresses hold tokens, in the query and in the path of the device API. */
const requestFields = (request: LoggedRequest) => ({
  id: request.id,
  method: request.method,
  route: request.routeOptions?.url,
  address: request.ip,
});

/** The server's log: JSON lines, without secrets. */
export const createLog = (level: Level | "silent" = "info", to: DestinationStream = pino.destination(2)): Logger =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { req: requestFields, err: pino.stdSerializers.err },
      redact: { paths: secrets.flatMap((name) => [name, `*.${name}`]), censor: "[redacted]" },
    },
    to,
  );
