/** What programs use that call the API: the typed client and all its calls. */
export { allCalls } from "./all-calls.ts";
export type { Input, Result } from "./call/call.ts";
export { CallError, type Client, type ClientNeeds, createClient, UnreachableError } from "./call/client.ts";
export { Code } from "./call/codes.ts";
export { livePath } from "./live.ts";
