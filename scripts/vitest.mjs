// npm run test:unit, npm run test:watch: Vitest with a Node that can, its arguments as they are.
import { join } from "node:path";
import { run } from "./launch.mjs";
import { root } from "./place.mjs";
import { setup } from "./setup.mjs";
import { testEnvironment } from "./test-environment.mjs";

const node = await setup();
const args = [join(root, "node_modules/vitest/vitest.mjs"), ...process.argv.slice(2)];
process.exitCode = await run(node, args, { env: testEnvironment(node), talks: true });
