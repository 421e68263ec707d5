import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { alerts } from "@telltale/contract/domains/alerts";
import { ChannelType, ReadingStatus } from "@telltale/contract/domains/channels";
import { dashboards } from "@telltale/contract/domains/dashboard/dashboards";
import sharp from "sharp";
import { type Look, lookOf } from "./guide-look.ts";
import { openShot, shots } from "./guide-shots.ts";
import { expect, test } from "./harness.ts";
import { clientOf } from "./people.ts";
import { preparedFolder, type RunningServer } from "./server-process.ts";

/** `npm run screenshots` takes new pictures; otherwise each is compared with the current screen. */
const isTaking = process.env.TAKE_SCREENSHOTS === "1";

const folder = join(import.meta.dirname, "../docs/guide/images");
const notes = join(folder, "looks.json");

/** The recorded look of a picture; `picture` is the digest of its file. */
interface Note extends Look {
  picture: string;
}

const readNotes = async (): Promise<Record<string, Note>> =>
  JSON.parse(await readFile(notes, "utf8").catch(() => "{}")) as Record<string, Note>;

const digestOf = (content: Buffer): string => createHash("sha256").update(content).digest("hex").slice(0, 16);

/** Margin around a dialog, in pixels. */
const around = 16;

const clipOf = async (part: Locator) => {
  const box = await part.boundingBox();
  if (!box) throw new Error("What is to be shown is not on screen");
  return {
    x: Math.max(0, box.x - around),
    y: Math.max(0, box.y - around),
    width: box.width + 2 * around,
    height: Math.min(box.height, 900) + 2 * around,
  };
};

/** The demonstration writes its history after the start, and its devices report live after that: pictures show a running plant. */
const untilPlantRuns = async (server: RunningServer): Promise<void> => {
  const owner = await clientOf(server);
  const isAtWork = async () => {
    const [standing, tiles] = [await owner(alerts.unconfirmed, {}), await owner(dashboards.tiles, {})];
    const drives = tiles.filter(({ channelType }) => channelType === ChannelType.modbus);
    return standing.length > 0 && drives.every(({ status }) => status === ReadingStatus.good);
  };
  await expect.poll(isAtWork, { timeout: 240_000 }).toBe(true);
};

/** The demonstration writes its history after a first start; lists and credit are as in the pictures once it is complete. Prepared data contain it. */
const untilHistoryIsComplete = async (server: RunningServer): Promise<void> => {
  if (process.env[preparedFolder]) return;
  await expect.poll(() => server.output(), { timeout: 240_000 }).toContain("past is complete");
};

/** A reduced palette is enough for these screens and cuts the file to a tenth. */
const take = async (page: Page, name: string, part: Locator | undefined): Promise<void> => {
  // New values are still highlighted, and charts are still drawing.
  await page.waitForTimeout(2_000);
  const look = await lookOf(page, part);
  const picture = await page.screenshot({ caret: "hide", ...(part ? { clip: await clipOf(part) } : {}) });
  const small = await sharp(picture).removeAlpha().png({ palette: true, colours: 128, effort: 10 }).toBuffer();
  await writeFile(join(folder, `${name}.png`), small);
  const known = { ...(await readNotes()), [name]: { ...look, picture: digestOf(small) } };
  const sorted = Object.fromEntries(Object.entries(known).sort(([one], [other]) => one.localeCompare(other)));
  await writeFile(notes, `${JSON.stringify(sorted, undefined, 2)}\n`);
};

/** Names in dates. */
const dates = /(Mon|Tue|Wed|Thu|Fri|Sat|Sun|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)(?=[ ,])/g;

/** The part of a look that depends neither on the plant's current alerts, which the frame of all screens counts, nor on today's date. */
const lasting = ({ words, style }: Look): Look => ({
  words: words
    .filter((word) => !/unconfirmed( alerts?)?$|^a Telltale$|^button CONFIRM ALL ALERTS$/.test(word))
    .map((word) => word.replace(dates, "#")),
  style,
});

const hint = "run `npm run screenshots`, look at the pictures, and commit them";

test.describe.configure({ timeout: 300_000 });
// Alerts of other tests would push down the content of a picture.
test.use({ own: "pictures" });

for (const shot of shots) {
  test.describe(shot.name, () => {
    test.use({
      viewport: shot.isPhone ? { width: 390, height: 760 } : { width: 1280, height: 800 },
      deviceScaleFactor: 1.5,
      locale: "en-US",
      timezoneId: "Europe/London",
      colorScheme: "light",
      contextOptions: { reducedMotion: "reduce" },
    });

    test(`the guide's picture '${shot.name}' shows the console as it is`, async ({ page, server }) => {
      await untilHistoryIsComplete(server);
      // These two show the alerts themselves.
      if (isTaking || shot.name === "dashboard" || shot.name === "phone") await untilPlantRuns(server);
      const part = await openShot(page, server, shot);
      if (isTaking) {
        await take(page, shot.name, part);
        return;
      }
      const note = (await readNotes())[shot.name];
      expect(note, `There is no picture of it yet: ${hint}`).toBeDefined();
      await expect
        .poll(async () => lasting(await lookOf(page, part)), { message: `The screen has changed since: ${hint}` })
        .toEqual(lasting({ words: note?.words ?? [], style: note?.style ?? "" }));
      expect(digestOf(await readFile(join(folder, `${shot.name}.png`))), `Changed by hand: ${hint}`).toBe(
        note?.picture,
      );
    });
  });
}
