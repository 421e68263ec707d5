import { expect, it } from "vitest";
import { linkedText } from "./outbox-screen.tsx";

const confirm = "https://telltale.example/confirm?accessToken=a&email=b%40c.example";
const help = "https://telltale.example/login";

it("makes the links of a message links, and loses nothing of its text", () => {
  const text = `Confirm it:\n${confirm}\n\nOr sign in: ${help}`;
  const pieces = linkedText(text, [confirm, help]);
  expect(pieces.map((piece) => piece.text).join("")).toBe(text);
  expect(pieces.filter(({ address }) => address)).toEqual([
    { text: confirm, address: confirm },
    { text: help, address: help },
  ]);
});

it("shows a link that the text does not have after it", () => {
  expect(linkedText("Confirm it.", [confirm])).toEqual([
    { text: "Confirm it.\n" },
    { text: confirm, address: confirm },
  ]);
});

it("opens web pages and nothing that runs", () => {
  const attack = "javascript:alert(1)";
  expect(linkedText(`See ${attack}`, [attack])).toEqual([{ text: `See ${attack}` }]);
});
