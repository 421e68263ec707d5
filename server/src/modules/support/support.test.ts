import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Code } from "@telltale/contract/call/codes";
import { type SupportItem, SupportType, support } from "@telltale/contract/domains/support";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anOwner, aViewer, type Person } from "../../test/test-people.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";

const operator = {
  phone: "+1 555 123 4567",
  email: "help@operator.example",
  hours: "Mon to Fri, 8 to 17, UTC",
  iosUrl: "https://apps.apple.com/app/id1",
};
const folder = join(import.meta.dirname, "../../../../docs/guide");

let server: TestServer;
let viewer: Person;

beforeAll(async () => {
  server = await startTestServer({ support: operator });
  viewer = await aViewer(server.world, await anOwner(server.world));
});
afterAll(() => server.close());

const itemsOf = (type: SupportType): Promise<SupportItem[]> => server.as(viewer)(support.getInfo, { type });
const documents = async () => {
  const items = await itemsOf(SupportType.documentation);
  return {
    manuals: items.filter(({ content }) => content === ""),
    tutorials: items.filter(({ content }) => content !== ""),
  };
};

describe("questions", () => {
  test("are those of the guide, in its order, numbered there from 1 on without a gap", async () => {
    const headings = [...(await readFile(join(folder, "faq.md"), "utf8")).matchAll(/^## (\d+)\. (.+)$/gm)];
    expect(headings.map(([, number]) => Number(number))).toEqual(headings.map((_, index) => index + 1));
    const items = await itemsOf(SupportType.faq);
    expect(items.map(({ title }) => title)).toEqual(headings.map(([, , title]) => title));
    for (const { title, content } of items) expect(content, title).toMatch(/^<(p|ul)>/);
  });
});

describe("documentation", () => {
  test("has every page of the guide as a tutorial, and each at an address of its own", async () => {
    const pages = (await readdir(folder)).filter((file) => file.endsWith(".md") && !/^(README|faq)/.test(file));
    const { tutorials } = await documents();
    expect(tutorials.map(({ url }) => new URL(url, "http://x").searchParams.get("tutorial")).sort()).toEqual(
      pages.map((file) => file.replace(".md", "")).sort(),
    );
  });

  test("leads from page to page within the console, and shows pictures that are there", async () => {
    const { tutorials } = await documents();
    const own = new Set(tutorials.map(({ url }) => url));
    const html = tutorials.map(({ content }) => content).join("");
    const links = [...html.matchAll(/<a href="([^"]+)"/g)].map(([, href = ""]) => href.replaceAll("&amp;", "&"));
    expect(links.length).toBeGreaterThan(10);
    for (const link of links.filter((href) => href.startsWith("/support?")))
      expect(own, link).toContain(link.split("#", 1)[0]);
    const pictures = [...html.matchAll(/<img src="([^"]+)"/g)].map(([, src = ""]) => src.replaceAll("&amp;", "&"));
    expect(pictures.length).toBeGreaterThan(10);
    for (const url of new Set(pictures)) {
      const answer = await server.app.inject({ url });
      expect(answer.headers, url).toMatchObject({ "content-type": "image/png" });
      expect(answer.headers["cache-control"], url).toContain("immutable");
    }
  });

  test("anchors that a page is linked by are there", async () => {
    const { tutorials } = await documents();
    const byUrl = new Map(tutorials.map(({ url, content }) => [url, content]));
    for (const { content } of [...tutorials, ...(await itemsOf(SupportType.faq))])
      for (const [, href = ""] of content.matchAll(/<a href="(\/support[^"#]+#[^"]+)"/g)) {
        const [url = "", anchor] = href.replaceAll("&amp;", "&").split("#");
        expect(byUrl.get(url), href).toContain(`id="${anchor}"`);
      }
  });

  test("has manuals that open as PDF by their address alone, in the browser, and never change there", async () => {
    const { manuals } = await documents();
    expect(manuals.map(({ title }) => title)).toEqual(["Operating manual", "Device manual"]);
    for (const { title, url } of manuals) {
      const answer = await server.app.inject({ url });
      expect(answer.headers["content-type"], title).toBe("application/pdf");
      expect(answer.headers["content-disposition"]).toContain("inline");
      expect(answer.headers["cache-control"]).toContain("immutable");
      expect(answer.rawPayload.subarray(0, 5).toString("latin1")).toBe("%PDF-");
      expect(answer.rawPayload.length).toBeGreaterThan(20_000);
    }
  }, 60_000);

  test("an address of an older version answers what is right now, and is not kept", async () => {
    const { manuals } = await documents();
    const old = String(manuals[0]?.url).replace(/version=\w+/, "version=older");
    expect((await server.app.inject({ url: old })).headers["cache-control"]).toBe("no-store");
  }, 60_000);

  test.each([support.manual, support.image])("$path finds nothing by a name that it has not given", async (call) => {
    for (const name of ["", "nothing", "../README", "images/dashboard", "faq.md"])
      await expect(server.as()(call, { name })).rejects.toMatchObject({ code: Code.notFound });
  });
});

describe("what only the operator knows", () => {
  test("is shown as it was set", async () => {
    expect(await itemsOf(SupportType.contact)).toMatchObject([
      { title: "Phone", phone: operator.phone, email: "", content: operator.hours },
      { title: "E-mail", phone: "", email: operator.email },
    ]);
    expect(await itemsOf(SupportType.downloads)).toMatchObject([{ title: "iOS", url: operator.iosUrl }]);
  });

  test("is nothing, and not made up, where nothing was set", async () => {
    const bare = await startTestServer();
    const owner = await anOwner(bare.world);
    for (const type of [SupportType.contact, SupportType.downloads])
      expect(await bare.as(owner)(support.getInfo, { type })).toEqual([]);
    await bare.close();
  });

  test("a kind that does not exist is refused", async () => {
    await expect(server.as(viewer)(support.getInfo, { type: 5 as SupportType })).rejects.toMatchObject({
      code: Code.invalid,
    });
  });
});
