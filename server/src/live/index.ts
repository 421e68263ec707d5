export type { ChangedOf } from "./alert-rows.ts";
export { type LiveOptions, serveLive } from "./socket.ts";
