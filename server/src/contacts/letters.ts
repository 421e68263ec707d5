import { gsmName, shortened } from "../notify/gsm.rules.ts";
import type { Letter } from "../notify/letter.ts";
import { quoted, typedText } from "../notify/quoted.rules.ts";

interface Asking {
  publicUrl: string;
  email: string;
  secret: string;
  plantName: string;
  askedBy: string;
}

/** Asks whoever reads this address. Its links only open a page: what is pressed there is the answer, so that no mail scanner gives one. */
export const contactLetter = ({ publicUrl, email, secret, plantName, askedBy }: Asking): Letter => {
  const url = (more: Record<string, string>) =>
    `${publicUrl}/contact?${new URLSearchParams({ accessToken: secret, email, ...more })}`;
  return {
    subject: `May ${quoted(plantName)} send you alerts?`,
    paragraphs: [
      `${askedBy} wants to send you alerts of ${quoted(plantName)}: what its devices report, such as a pressure that is too high.`,
      "You get none of them until you agree.",
    ],
    action: { label: "Answer", url: url({}) },
    footnotes: [
      "The link works once, within the next seven days.",
      "If you do not know who this is from, ignore this mail, or say that you want no alerts: you will not be asked again for 90 days.",
    ],
    leave: { label: "I do not want alerts", url: url({ stop: "1" }) },
  };
};

/** The SMS with a phone's code: one of 160 characters. */
export const codeText = (code: string, plant: string): string => {
  const name = shortened(gsmName(typedText(plant), "a plant"), 30);
  return `Telltale: ${code} is the code to get alerts of "${name}" on this phone. It works for 15 minutes. If you did not expect it, ignore it.`;
};
