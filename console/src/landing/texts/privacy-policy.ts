import type { Agreement } from "./agreement.ts";

/** What the software stores by default; the operator must state what it adds. */
export const privacyPolicy = (place: string): Agreement => ({
  title: "Privacy Policy",
  lead: `The organisation that runs this server at ${place}, called the operator here, decides what happens to the data on it and answers for that. This page says what the software keeps of you and why. The makers of the software receive nothing of it.`,
  sections: [
    {
      heading: "What is kept of you",
      paragraphs: [
        "Your e-mail address and your password, the password only as a hash that it cannot be read from. Your name, company, industry, mobile number and picture, as far as you have given them. Which plants you belong to, in which role, and who invited you.",
        "Where you are signed in: the time, the network address and the kind of browser, so that you can see it and end it. A sign-in that nobody uses ends after 12 hours.",
        "What you did that others rely on: alerts you confirmed, devices you added or changed, data you downloaded, orders you placed, and when.",
      ],
    },
    {
      heading: "What devices report",
      paragraphs: [
        "Readings, settings and alerts are kept for the plant that owns the device. They are about equipment, and may still say something about people: when a machine runs, somebody works. The owner of the plant decides who may see them.",
      ],
    },
    {
      heading: "What your browser keeps",
      paragraphs: [
        "The sign-in, the choice of light or dark, and the width of the menu, in the browser's own storage. There are no cookies for advertising, no counters and nothing of third parties: fonts, pictures and scripts come from this server.",
      ],
    },
    {
      heading: "Who else receives it",
      paragraphs: [
        "The members of your plant see your name, e-mail address and what you did there. The operator can look at a plant to help, read-only and for an hour at most; the owner sees who did and when.",
        "Mail goes through the operator's mail service, text messages through its text message service, payments through its payment service, each with what it needs and no more: an address and the message, or an amount and what it is for. Card numbers never reach this server.",
      ],
    },
    {
      heading: "How long",
      paragraphs: [
        "Links in mails end after one use or an hour. An account and what is known of the person are kept until they are removed; what was recorded of the equipment is kept as long as the owner of the plant and the operator want it. Backups are the operator's and may hold data for longer.",
      ],
    },
    {
      heading: "Your rights",
      paragraphs: [
        "You can see and change what is known of you in your profile. To have it removed, or to receive a copy, turn to the owner of your plant or to the operator. Where the law gives you further rights, such as that to complain to a supervisory authority, they hold here too.",
      ],
    },
  ],
});
