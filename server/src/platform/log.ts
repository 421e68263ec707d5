import pino, { type DestinationStream, type Level, type Logger } from "pino";
import { codeOf, fieldOf } from "./fault.ts";

/**
 * A fault's reason that is safe to publish. Messages of the operating system contain paths and addresses, those of a failed database login names; of
 * these only the code is returned.
 */
export const plainReason = (fault: unknown): string => {
  if (!(fault instanceof Error)) return String(fault);
  const { message } = fault;
  const code = codeOf(fault);
  if (code === undefined) return message;
  // Errors of PostgreSQL have a severity, and an SQLSTATE as code. Class 28: invalid authorization; 3D: no such database.
  if (fieldOf(fault, "severity") === undefined) return code;
  return /^(28|3D)/.test(code) ? `The database refuses the login (${code})` : message;
};

/** Field names under which a secret could get into a log line, at the top or one level down. */
const secrets = ["token", "accessToken", "access_token", "supportToken", "password", "newPwd", "originalPwd"];

interface LoggedRequest {
  id?: unknown;
  method?: unknown;
  ip?: unknown;
  routeOptions?: { url?: string | undefined };
}

/** Logs the route's pattern instead of the URL: URLs contain tokens, in the query and in the device API's path. */
const requestFields = (request: LoggedRequest) => ({
  id: request.id,
  method: request.method,
  route: request.routeOptions?.url,
  address: request.ip,
});

/** Creates the server's log: JSON lines, without secrets. */
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
