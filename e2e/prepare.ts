import { prepareIn } from "./prepared-data.ts";

// node e2e/prepare.ts FOLDER: prepares the data for a run of browser tests in an empty folder, for `npm test` beside the tests before.
const [folder] = process.argv.slice(2);
if (!folder) throw new Error("Which folder?");
await prepareIn(folder);
