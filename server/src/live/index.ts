export { type LiveOptions, serveLive } from "./socket.ts";
