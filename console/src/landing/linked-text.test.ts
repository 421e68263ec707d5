import { expect, it } from "vitest";
import { linkedText } from "./outbox-screen.tsx";

const confirm = "https://telltale.example/confirm?accessToken=a&email=b%40c.example";
const help = "https://telltale.example/login";

it("turns a message's links into links and keeps all of its text", () => {
  const text = `Confirm it:\n${confirm}\n\nOr sign in: ${help}`;
  const pieces = linkedText(text, [confirm, help]);
  expect(pieces.map((piece) => piece.text).join("")).toBe(text);
  expect(pieces.filter(({ address }) => address)).toEqual([
    { text: confirm, address: confirm },
    { text: help, address: help },
  ]);
});

it("appends a link that does not occur in the text", () => {
  expect(linkedText("Confirm it.", [confirm])).toEqual([
    { text: "Confirm it.\n" },
    { text: confirm, address: confirm },
  ]);
});

it("links web pages and no script URLs", () => {
  const attack = "javascript:alert(1)";
  expect(linkedText(`See ${attack}`, [attack])).toEqual([{ text: `See ${attack}` }]);
});
