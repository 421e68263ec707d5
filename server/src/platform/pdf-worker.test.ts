import { expect, test } from "vitest";
import { pdfOfWorker } from "./pdf-worker.ts";

const script = (text: string) => new URL(`data:text/javascript,${encodeURIComponent(text)}`);

test("a worker's PDF is what it posts", async () => {
  const posts = script(
    'import { parentPort, workerData } from "node:worker_threads"; parentPort.postMessage(new Uint8Array(workerData));',
  );
  expect([...(await pdfOfWorker(posts, [37, 80]))]).toEqual([37, 80]);
});

test("a worker that fails, or makes nothing in its time, fails for whoever waits", async () => {
  await expect(pdfOfWorker(script('throw new Error("No font")'), {})).rejects.toThrow("No font");
  await expect(pdfOfWorker(script("for (;;);"), {}, 50)).rejects.toThrow("has made no PDF in 0.05 seconds");
});
