import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../test/test-server.ts";

/** Of this test; the console's is within it. */
let around: string;
let folder: string;
let server: TestServer;
let withMobileSite: TestServer;

beforeAll(async () => {
  around = await mkdtemp(join(tmpdir(), "telltale-console-"));
  folder = join(around, "console");
  await mkdir(folder);
  await writeFile(
    join(folder, "index.html"),
    '<!doctype html><meta property="csp-nonce" nonce="%STYLE_NONCE%"><title>Telltale</title>',
  );
  await mkdir(join(folder, "assets"));
  await writeFile(join(folder, "assets/part-0a1b2c3d.js"), 'console.log("a part");');
  await writeFile(join(folder, "assets/part-0a1b2c3d.js.br"), brotliCompressSync('console.log("a part");'));
  server = await startTestServer({ consoleFolder: folder });
  withMobileSite = await startTestServer({ consoleFolder: folder, mobileSiteUrl: "https://m.plant.example" });
});
afterAll(async () => {
  await server.close();
  await withMobileSite.close();
  await rm(around, { recursive: true });
});

const phone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1";
const desk = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36";
const open = ({ app }: TestServer, url: string, userAgent: string) =>
  app.inject({ url, headers: { "user-agent": userAgent } });

test("the page carries the nonce of its style elements and is not cached", async () => {
  const { body, headers } = await open(server, "/login", desk);
  const [, demanded] = /'nonce-([\w-]+)'/.exec(String(headers["content-security-policy"])) ?? [];
  expect(body).toContain(`nonce="${demanded}"`);
  expect([headers["cache-control"], headers.etag, headers["last-modified"]]).toEqual([
    "no-cache",
    undefined,
    undefined,
  ]);
});

const outside = [
  "..%2f..%2fpackage.json",
  "%2e%2e/%2e%2e/etc/passwd",
  "assets/..%5c..%5csecret.txt",
  "/etc/passwd",
  "....//secret.txt",
];

test.each(outside)("no file outside of the console is read: /%s", async (path) => {
  await writeFile(join(around, "secret.txt"), "a secret");
  for (const url of [`/${path}`, `/assets/${path}`, `/..%2fsecret.txt`]) {
    const answer = await open(server, url, desk);
    expect(answer.body).not.toMatch(/a secret|root:|"workspaces"/);
  }
});

test.each(["/", "/login", "/devices?status=1"])("a phone that opens %s is sent to the mobile site", async (url) => {
  const answer = await open(withMobileSite, url, phone);
  expect([answer.statusCode, answer.headers.location]).toEqual([302, "https://m.plant.example"]);
});

test.each([
  "/register?email=a",
  "/resetPassword",
  "/forgetEdit?email=a&accessToken=b",
  "/confirm?email=a",
  "/c/AbCdEfGhIjKlMn-_2n9c",
  "/contact?accessToken=a&email=b&answer=stop",
  "/paybtn?orderSn=1",
  "/payResult?paymentId=a&PayerID=b",
  "/alarms/detail?alarmLogId=1",
  "/alarms/report?month=2026-01",
  "/shell",
])("a phone stays on %s, which a link leads to for one thing, or which the service worker keeps", async (url) => {
  expect((await open(withMobileSite, url, phone)).statusCode).toBe(200);
});

test("desktop browsers, calls and servers without a mobile site are not redirected", async () => {
  expect((await open(withMobileSite, "/login", desk)).statusCode).toBe(200);
  expect((await open(withMobileSite, "/api/site", phone)).json()).toMatchObject({ code: 0 });
  expect((await open(server, "/login", phone)).statusCode).toBe(200);
});

test("a browser that takes Brotli gets a file as the build has compressed it, any other the file itself", async () => {
  const get = (encoding: string) =>
    server.app.inject({ url: "/assets/part-0a1b2c3d.js", headers: { "accept-encoding": encoding } });
  const compressed = await get("gzip, br");
  expect(compressed.headers).toMatchObject({
    "content-encoding": "br",
    "content-type": expect.stringContaining("javascript"),
    "cache-control": expect.stringContaining("immutable"),
    vary: expect.stringContaining("accept-encoding"),
  });
  expect(brotliDecompressSync(compressed.rawPayload).toString()).toBe('console.log("a part");');
  const plain = await get("identity");
  expect([plain.headers["content-encoding"], plain.body]).toEqual([undefined, 'console.log("a part");']);
});
