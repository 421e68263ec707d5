import { CallError } from "@telltale/contract/call/client";
import { accounts } from "@telltale/contract/domains/people/accounts";
import { avatarSize, largestAvatar, profile } from "@telltale/contract/domains/people/profile";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anOwner, aSupportView, type Person } from "../../test/test-people.ts";
import { colourAt, emptyPng, headOf, stripes } from "../../test/test-pictures.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";

let server: TestServer;
let owner: Person;

beforeAll(async () => {
  server = await startTestServer();
  owner = await anOwner(server.world);
});
afterAll(() => server.close());

const upload = (content: Uint8Array, person = owner): Promise<string> =>
  server.as(person)(profile.upload, { file: new Blob([new Uint8Array(content)]) });
const refusalOf = (content: Uint8Array): Promise<string> =>
  upload(content).then(
    () => "taken",
    (fault) => (fault instanceof CallError && fault.code === 422 ? fault.message : String(fault)),
  );
const served = (address: string) => server.app.inject({ method: "GET", url: address });
const pictureOf = async (content: Uint8Array): Promise<Buffer> => (await served(await upload(content))).rawPayload;
const stored = (person = owner) =>
  server.world.db.selectFrom("avatars").selectAll().where("user_id", "=", person.userId).execute();

describe("a photo", () => {
  test.each(["jpeg", "png"] as const)("as %s becomes the square in its middle, 256 pixels wide", async (format) => {
    const picture = await pictureOf(await stripes(900, 300).toFormat(format).toBuffer());
    expect(await headOf(picture)).toMatchObject({ format: "webp", width: avatarSize, height: avatarSize });
    expect(await colourAt(picture, 4, 128)).toBe("green");
    expect(await colourAt(picture, 252, 128)).toBe("green");
  });

  test("smaller than the square is enlarged", async () => {
    const picture = await pictureOf(await stripes(3, 3).png().toBuffer());
    expect(await headOf(picture)).toMatchObject({ width: avatarSize, height: avatarSize });
  });

  test("is turned as the camera was held, and loses where and with what it was taken", async () => {
    const taken = await stripes(300, 300)
      .jpeg()
      .withMetadata({ orientation: 6, exif: { IFD0: { Make: "Camera" }, IFD3: { GPSLatitude: "51/1 30/1 0/1" } } })
      .toBuffer();
    expect((await headOf(taken)).orientation).toBe(6);
    const picture = await pictureOf(taken);
    expect(await Promise.all([10, 128, 246].map((top) => colourAt(picture, 128, top)))).toEqual([
      "red",
      "green",
      "blue",
    ]);
    const { exif, xmp, icc, orientation } = await headOf(picture);
    expect([exif, xmp, icc, orientation]).toEqual([undefined, undefined, undefined, undefined]);
    expect(picture.includes("Camera")).toBe(false);
  });

  test("loses what was hidden in it or behind it", async () => {
    const script = "<script>alert(document.domain)</script>";
    const png = await stripes(300, 300).png().toBuffer();
    const picture = await pictureOf(Buffer.concat([png, Buffer.from(script)]));
    expect(picture.includes("script")).toBe(false);
    const jpeg = await stripes(300, 300)
      .withMetadata({ exif: { IFD0: { Copyright: script } } })
      .jpeg()
      .toBuffer();
    expect(jpeg.includes("<script>")).toBe(true);
    expect((await pictureOf(jpeg)).includes("script")).toBe(false);
  });

  test("is answered as an image that nothing else can be read into, and that a browser may keep", async () => {
    const answer = await served(await upload(await stripes(300, 300).png().toBuffer()));
    expect(answer.headers).toMatchObject({
      "content-type": "image/webp",
      "x-content-type-options": "nosniff",
      "cache-control": "private, max-age=31536000, immutable",
      "content-disposition": expect.stringContaining("attachment"),
    });
  });
});

describe("what is no photo is refused in words and never kept", () => {
  const gif = Buffer.from("GIF89a/*\x01\x00\x01\x00*/=1;alert(document.domain)//;");
  const svg = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>',
  );
  test.each([
    ["a GIF that is a script as well", async () => gif],
    ["an SVG called .png", async () => svg],
    ["a real GIF", () => stripes(9, 9).gif().toBuffer()],
    ["a WebP", () => stripes(9, 9).webp().toBuffer()],
    ["a TIFF", () => stripes(9, 9).tiff().toBuffer()],
    ["a page", async () => Buffer.from("<!doctype html><script>alert(1)</script>")],
    ["the first bytes of a PNG and nothing else", async () => emptyPng(9, 9).subarray(0, 12)],
    [
      "the first bytes of a JPEG before a page",
      async () => Buffer.from([0xff, 0xd8, 0xff, 0xe0, ...Buffer.from("<html>")]),
    ],
  ])("%s", async (_what, content) => {
    expect(await refusalOf(await content())).toBe("JPG and PNG only");
  });

  test.each([
    ["JPEG", async () => (await stripes(600, 600).jpeg().toBuffer()).subarray(0, -800)],
    ["PNG", async () => (await stripes(600, 600).png().toBuffer()).subarray(0, -100)],
  ])("a %s cut off", async (_format, content) => {
    expect(await refusalOf(await content())).toBe("The photo is damaged: choose another one");
  });

  test("a bomb of 20000 x 20000 pixels, without unpacking it", async () => {
    const bomb = emptyPng(20_000, 20_000);
    expect(bomb.length).toBeLessThan(largestAvatar);
    const before = process.memoryUsage().rss;
    expect(await refusalOf(bomb)).toBe("The photo has at most 16 megapixels: choose a smaller one");
    // Unpacked, it has 400 million pixels of at least a byte; a collection in other tests' garbage is far below.
    expect(process.memoryUsage().rss - before).toBeLessThan(300_000_000);
  });

  test("more than 1 MB, nothing at all, and no file", async () => {
    const asFile = (bytes: number) => {
      const payload = new FormData();
      payload.append("file", new Blob([new Uint8Array(bytes)]), "photo.png");
      return new Response(payload);
    };
    const send = async (form: Response) => {
      const headers = { "content-type": form.headers.get("content-type") ?? "" };
      const payload = Buffer.from(await form.arrayBuffer());
      return (
        await server.app.inject({
          method: "POST",
          url: `${profile.upload.path}?token=${owner.token}`,
          headers,
          payload,
        })
      ).json().msg;
    };
    expect(await send(asFile(largestAvatar + 1))).toBe("The photo must be at most 1 MB");
    expect(await send(asFile(0))).toBe("Please upload a profile photo");
    expect(await send(new Response(new FormData()))).toBe("Please upload a profile photo");
  });

  test("nothing of it is stored", async () => {
    const before = await stored();
    await refusalOf(gif);
    expect(await stored()).toEqual(before);
  });
});

describe("an uploaded photo", () => {
  test("waits with one other of its user at most, and delays nobody else's for long", async () => {
    const [person, other] = [await anOwner(server.world), await anOwner(server.world)];
    const large = await stripes(3_000, 3_000).png().toBuffer();
    const [many, single] = await Promise.all([
      Promise.allSettled(Array.from({ length: 8 }, () => upload(large, person))),
      upload(await small(), other),
    ]);
    expect(single).toContain("/");
    const refused = many.filter(({ status }) => status === "rejected");
    expect(many.length - refused.length).toBeGreaterThanOrEqual(2);
    expect(refused.length).toBeGreaterThan(0);
    for (const { reason } of refused as PromiseRejectedResult[])
      expect(reason).toMatchObject({ code: 429, message: "Wait until your last photo is saved" });
  });

  const small = () => stripes(30, 30).png().toBuffer();

  test("is the avatar once it is saved, under an address that the user's info gives", async () => {
    const person = await anOwner(server.world);
    const avatar = await upload(await small(), person);
    expect(avatar).toMatch(/^\/api\/user\/avatar\?name=[\w-]{43}$/);
    expect(await server.as(person)(accounts.info)).toMatchObject({ avatar: null });
    await server.as(person)(profile.update, { avatar });
    expect(await server.as(person)(accounts.info)).toMatchObject({ avatar });
  });

  test("leaves one picture of the user when it is saved, and at most one more that is not", async () => {
    const person = await anOwner(server.world);
    const first = await upload(await small(), person);
    await server.as(person)(profile.update, { avatar: first });
    await Promise.all([upload(await small(), person), upload(await small(), person)]);
    expect(await stored(person)).toHaveLength(2);
    const last = await upload(await small(), person);
    await server.as(person)(profile.update, { avatar: last });
    expect(await stored(person)).toHaveLength(1);
    expect((await served(first)).json()).toMatchObject({ code: 404, msg: "There is no such picture" });
    expect((await served(last)).headers["content-type"]).toBe("image/webp");
  });

  test.each([
    ["somebody else's", async () => upload(await small())],
    ["no address of a picture", async () => "https://example.test/tracker.gif"],
    ["a script", async () => "javascript:alert(1)"],
    ["one that never was", async () => `${profile.avatar.path}?name=${"a".repeat(43)}`],
  ])("is not taken when it is %s", async (_what, made) => {
    const person = await anOwner(server.world);
    await expect(server.as(person)(profile.update, { avatar: await made() })).rejects.toMatchObject({
      code: 422,
      message: "Please upload a profile photo",
    });
  });

  test("can't come from a support view", async () => {
    const support = await aSupportView(server.world, owner);
    const file = new Blob([new Uint8Array(await small())]);
    await expect(server.as(support)(profile.upload, { file })).rejects.toMatchObject({ code: 403 });
  });

  test.each(["", "?name=", "?name=../../etc/passwd", "?name=%00", "?name=a'; drop table avatars"])(
    "is not found as %s",
    async (query) => {
      expect((await served(`${profile.avatar.path}${query}`)).json().code).toBe(422);
    },
  );
});
