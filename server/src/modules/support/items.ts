import { addressOf } from "@telltale/contract/call/client";
import { type SupportItem, SupportType, support } from "@telltale/contract/domains/support";
import type { Guide } from "./guide/guide.ts";
import { guideHtml, type Places } from "./guide/guide-html.ts";
import type { Material } from "./guide/material.ts";
import type { GuidePicture } from "./guide/pictures.ts";

/** Contact data set by the operator; unset fields are not shown. */
export interface OperatorContacts {
  phone?: string | undefined;
  email?: string | undefined;
  hours?: string | undefined;
  iosUrl?: string | undefined;
  androidUrl?: string | undefined;
}

const item = (given: Partial<SupportItem> & { title: string }): SupportItem => ({
  content: "",
  url: "",
  phone: "",
  email: "",
  ...given,
});

const tutorialAddress = (name: string, part = ""): string => `/support?tab=documentation&tutorial=${name}${part}`;

const placesOf = (pictures: ReadonlyMap<string, GuidePicture>): Places => ({
  pictures,
  addressOf: ({ name, version }) => addressOf("", support.image, { name, version }),
  pageAddress: (name, part) => (name === "faq" ? "/support" : tutorialAddress(name, part)),
});

const documentation = (guide: Guide, places: Places, version: string): SupportItem[] => [
  ...guide.manuals.map(({ name, title }) => item({ title, url: addressOf("", support.manual, { name, version }) })),
  ...guide.manuals
    .flatMap(({ pages }) => pages)
    .map(({ name, title, tokens }) => item({ title, url: tutorialAddress(name), content: guideHtml(tokens, places) })),
];

const contacts = ({ phone, email, hours }: OperatorContacts): SupportItem[] => [
  ...(phone ? [item({ title: "Phone", phone, content: hours ?? "" })] : []),
  ...(email ? [item({ title: "E-mail", email, content: phone ? "" : (hours ?? "") })] : []),
];

const apps = ({ iosUrl, androidUrl }: OperatorContacts): SupportItem[] => [
  ...(iosUrl ? [item({ title: "iOS", url: iosUrl })] : []),
  ...(androidUrl ? [item({ title: "Android", url: androidUrl })] : []),
];

/** The content of each tab of the support screen. */
export const supportItems = (
  { guide, pictures, version }: Material,
  operator: OperatorContacts,
): Record<SupportType, SupportItem[]> => {
  const places = placesOf(pictures);
  return {
    [SupportType.faq]: guide.questions.map(({ title, tokens }) => item({ title, content: guideHtml(tokens, places) })),
    [SupportType.documentation]: documentation(guide, places, version),
    [SupportType.contact]: contacts(operator),
    [SupportType.downloads]: apps(operator),
  };
};
