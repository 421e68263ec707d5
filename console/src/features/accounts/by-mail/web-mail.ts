/** A mail provider's web address, and the domains of its e-mail addresses. */
interface Provider {
  name: string;
  address: string;
  domains: string;
}

const providers: readonly Provider[] = [
  { name: "Gmail", address: "https://mail.google.com/", domains: "gmail.com googlemail.com" },
  {
    name: "Outlook",
    address: "https://outlook.live.com/",
    domains:
      "outlook.com outlook.de outlook.fr outlook.es outlook.it hotmail.com hotmail.co.uk hotmail.de hotmail.fr hotmail.es hotmail.it live.com live.co.uk live.de live.fr live.nl msn.com",
  },
  {
    name: "Yahoo Mail",
    address: "https://mail.yahoo.com/",
    domains:
      "yahoo.com yahoo.co.uk yahoo.co.in yahoo.ca yahoo.com.au yahoo.com.br yahoo.de yahoo.fr yahoo.es yahoo.it ymail.com rocketmail.com",
  },
  { name: "iCloud Mail", address: "https://www.icloud.com/mail", domains: "icloud.com me.com mac.com" },
  { name: "AOL Mail", address: "https://mail.aol.com/", domains: "aol.com aol.co.uk aol.de" },
  { name: "Proton Mail", address: "https://mail.proton.me/", domains: "proton.me protonmail.com protonmail.ch pm.me" },
  { name: "GMX", address: "https://www.gmx.net/", domains: "gmx.net gmx.de gmx.at gmx.ch" },
  { name: "GMX", address: "https://www.gmx.com/", domains: "gmx.com gmx.us gmx.co.uk gmx.fr" },
  { name: "WEB.DE", address: "https://web.de/", domains: "web.de" },
  { name: "mail.com", address: "https://www.mail.com/", domains: "mail.com email.com" },
  { name: "Zoho Mail", address: "https://mail.zoho.com/", domains: "zoho.com zohomail.com" },
  { name: "Zoho Mail", address: "https://mail.zoho.eu/", domains: "zoho.eu zohomail.eu" },
  {
    name: "Yandex Mail",
    address: "https://mail.yandex.com/",
    domains: "yandex.com ya.ru yandex.ru yandex.kz yandex.by",
  },
  { name: "QQ Mail", address: "https://mail.qq.com/", domains: "qq.com foxmail.com" },
  { name: "163 Mail", address: "https://mail.163.com/", domains: "163.com" },
  { name: "126 Mail", address: "https://mail.126.com/", domains: "126.com" },
];

const byDomain = new Map(
  providers.flatMap(({ domains, ...provider }) => domains.split(" ").map((domain) => [domain, provider] as const)),
);

/**
 * The web mail provider of an address, matched by the whole domain: 'live.com' is Microsoft's, 'live.example.com' is not. Undefined when unknown, as
 * for most companies.
 */
export const webMailOf = (email: string): Omit<Provider, "domains"> | undefined =>
  byDomain.get(
    email
      .slice(email.lastIndexOf("@") + 1)
      .trim()
      .toLowerCase(),
  );
