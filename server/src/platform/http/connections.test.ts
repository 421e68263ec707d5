import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { accounts } from "@telltale/contract/domains/people/accounts";
import Fastify from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../test/test-server.ts";
import { limitConnections } from "./server.ts";

let server: TestServer;
let port: number;

beforeAll(async () => {
  server = await startTestServer();
  await server.app.listen({ port: 0, host: "127.0.0.1" });
  port = (server.app.server.address() as AddressInfo).port;
});
afterAll(() => server.close());

const form = "application/x-www-form-urlencoded";

test.each(["h2c", "TLS/1.2"])(
  "a program that offers %s, as those in Java do, is answered as if it had not",
  async (protocol) => {
    const body = "email=nobody@example.com&password=b";
    const answer = await new Promise<string>((resolve) => {
      const headers = { "content-type": form, connection: "Upgrade", upgrade: protocol };
      const request = httpRequest({ port, method: "POST", path: accounts.login.path, headers }, (response) => {
        response.setEncoding("utf8").once("data", resolve);
      });
      request.end(body);
    });
    expect(JSON.parse(answer)).toMatchObject({ code: 422, msg: "The e-mail address or the password is not right" });
  },
);

test("a client that sends a thousand requests ahead of their answers is disconnected", async () => {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  socket.write("GET /api/docs?format=json HTTP/1.1\r\nHost: a\r\n\r\n".repeat(1_000));
  await new Promise((resolve) => socket.resume().once("close", resolve));
});

test("of idle connections the longest idle one makes room for another, and one with a request under way stays", async () => {
  const app = Fastify({ forceCloseConnections: true });
  limitConnections(app, { ahead: 32, idle: 2 });
  const { promise: answered, resolve: answer } = Promise.withResolvers<string>();
  app.route({ method: ["GET", "POST"], url: "/slow", handler: () => answered });
  await app.listen({ port: 0, host: "127.0.0.1" });
  const own = (app.server.address() as AddressInfo).port;
  const open = async () => {
    const socket = connect(own, "127.0.0.1");
    const accepted = once(app.server, "connection");
    await once(socket, "connect");
    await accepted;
    return socket;
  };
  const asking = await open();
  asking.write("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n");
  await once(app.server, "request");
  const longest = await open();
  // Its body never comes.
  longest.write("POST /slow HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n");
  await once(app.server, "request");
  const [second, third] = [await open(), await open()];
  await once(longest.resume(), "close");
  answer("here it is");
  expect(String(await once(asking, "data"))).toContain("here it is");
  await once(second.resume(), "close");
  expect(third.closed).toBe(false);
  await app.close();
});

test("twenty requests ahead of their answers are answered in order", async () => {
  const socket = connect(port, "127.0.0.1");
  const paths = Array.from({ length: 20 }, (_, at) => `/file-${at}.txt`);
  socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`).join(""));
  let answers = "";
  await new Promise<void>((resolve) => {
    socket.on("data", (data) => {
      answers += String(data);
      if (answers.split("Not found").length > paths.length) resolve();
    });
  });
  socket.destroy();
  expect(answers.split("HTTP/1.1 404")).toHaveLength(paths.length + 1);
});
