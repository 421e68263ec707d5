// npm run screenshots [-- -g NAME]: takes the guide's pictures anew, of the running demonstration.
import { browserTests } from "./e2e.mjs";
import { setup } from "./setup.mjs";

process.env.TAKE_SCREENSHOTS = "1";
const { failed } = await browserTests(await setup(), ["guide-pictures.spec.ts", ...process.argv.slice(2)]);
process.exitCode = failed > 0 ? 1 : 0;
