import type { Agreement } from "./agreement.ts";

/** `place` is the origin of the console: the operator is the party that runs the server there. */
export const termsOfUse = (place: string): Agreement => ({
  title: "Terms of Use",
  lead: `Telltale is free software that an organisation runs on its own server. These terms are between you and the organisation that runs it at ${place}, called the operator here. If you do not know who that is, ask the person who gave you your device or your invitation before you agree.`,
  sections: [
    {
      heading: "What you may do",
      paragraphs: [
        "You may use the console to watch, configure and record the equipment of the plants you belong to, as far as your role in each of them goes. The owner of a plant decides who belongs to it, in which role, and may end that at any time.",
        "Your account is yours alone. Keep the password to yourself, choose one that you use nowhere else, and turn on the second factor where you can. What is done with your account counts as done by you until you tell the owner of your plant or the operator that somebody else has used it.",
      ],
    },
    {
      heading: "What you may not do",
      paragraphs: [
        "Do not claim devices that are not yours to watch, look for data of plants you do not belong to, burden the server on purpose, or use the console for anything that the law forbids.",
      ],
    },
    {
      heading: "A monitor is not a safeguard",
      paragraphs: [
        "Telltale shows what devices report and tells people when a value leaves its limits. Batteries run out, radio links and networks fail, mail and text messages arrive late or not at all. Do not let the safety of people, equipment or surroundings depend on it: keep the interlocks, relief valves and inspections that your equipment calls for.",
        "A digital output can switch real equipment. Whoever may switch one is responsible for making sure that nobody is harmed by it.",
      ],
    },
    {
      heading: "Network services",
      paragraphs: [
        "Devices report as long as their network service is paid for. The price, the report interval and the number of years are shown before you buy. When the service ends, readings are still stored for 30 days, while live values and alerts stop; paying restores both. Whether and how money is returned is agreed with the operator, who receives it.",
      ],
    },
    {
      heading: "Your data",
      paragraphs: [
        "What your devices report belongs to your plant. You can download it as a spreadsheet at any time. How the operator treats it is in the Privacy Policy.",
      ],
    },
    {
      heading: "What the operator owes you",
      paragraphs: [
        "The software comes as it is, without warranty, under the Apache License 2.0. What the operator promises beyond that, for example how soon a failure is dealt with, is agreed between you and the operator and not by this page. Nothing here takes away rights that the law of your country gives you.",
      ],
    },
    {
      heading: "The end, and changes",
      paragraphs: [
        "You may stop using the console at any time and ask the owner of your plant or the operator to remove your account. The operator may close an account that breaks these terms. When the operator changes them, you are to be told before the change counts.",
      ],
    },
  ],
});
