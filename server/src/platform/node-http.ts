/**
 * Node's HTTP modules. An `import` of "node:http" would read each of its properties, one of which loads Node's `fetch`: 5 MB for as long as the server
 * runs, in a server that does not use it.
 */
export const nodeHttp = process.getBuiltinModule("node:http");
export const nodeHttps = process.getBuiltinModule("node:https");
