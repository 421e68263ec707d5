// npm run client: makes the typed client a package of its own, contract/dist, which `npm pack ./contract/dist` packs: the contract in JavaScript, with types.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { environmentFor, giveUp, runQuietly, withProgress } from "../launch.mjs";
import { root } from "../place.mjs";
import { setup } from "../setup.mjs";

const node = await setup();
const folder = join(root, "contract/dist");
const read = (file) => JSON.parse(readFileSync(join(root, file), "utf8"));

rmSync(folder, { recursive: true, force: true });
const args = [join(root, "node_modules/typescript/bin/tsc"), "-p", join(root, "scripts/package/tsconfig.client.json")];
const { code, output } = await withProgress("Compiling the client", () =>
  runQuietly(node, args, { env: environmentFor(node) }),
);
if (code !== 0) giveUp("The client could not be compiled", output);

const { version, license, engines } = read("package.json");
const { dependencies } = read("contract/package.json");
const declared = (file) => ({ types: `./lib/${file}.d.ts`, default: `./lib/${file}.js` });
const manifest = {
  name: "telltale-client",
  ...{ version, license, engines, dependencies },
  description: "The typed client of Telltale's API",
  type: "module",
  exports: { ".": declared("index"), "./*": declared("*") },
  files: ["lib"],
};
writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
writeFileSync(
  join(folder, "README.md"),
  `# telltale-client

The typed client of Telltale's API. Make an API key in the console (member info, *API keys*).

\`\`\`ts
import { allCalls, createClient } from "telltale-client";

const { TELLTALE_URL: baseUrl = "https://telltale.example.com", TELLTALE_KEY: apiKey = "" } = process.env;
const client = createClient({ baseUrl, apiKey });
const { data } = await client(allCalls.devices.list, { page: 1 });
for (const { deviceName, status } of data) console.log(deviceName, status);
\`\`\`

A call that the server refuses throws \`CallError\` with its code and sentence; one without an answer \`UnreachableError\`. \`/api/docs\` on the server describes all calls.
`,
);
