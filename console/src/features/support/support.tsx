import { Tabs } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { PageTitle } from "../../ui/page-title.tsx";
import tabs from "../../ui/tabs.module.css";
import { Contact } from "./contact.tsx";
import { Documentation } from "./documentation.tsx";
import { Faq } from "./faq.tsx";
import { StoreLinks } from "./store-links.tsx";
import classes from "./support.module.css";

/** The tabs by their name in the page's address; the first is shown without one. */
const labels = { faq: "FAQ", documentation: "DOCUMENTATION", contact: "CONTACT", downloads: "DOWNLOADS" } as const;
type Tab = keyof typeof labels;

const isTab = (name: string | null | undefined): name is Tab => name !== undefined && name !== null && name in labels;

const useTab = (): [Tab, (next: string | null) => void] => {
  const { tab } = useSearch({ strict: false }) as { tab?: string };
  const navigate = useNavigate();
  const open = (next: string | null) =>
    void navigate({ to: ".", search: (next === "faq" ? {} : { tab: next }) as never, replace: true });
  return [isTab(tab) ? tab : "faq", open];
};

/** What there is to read, whom to ask, and what there is to download: the apps, and `firmware` from the feature of that name. (spec 2 §2) */
export const Support = ({ firmware }: { firmware: ReactNode }): ReactNode => {
  const [tab, open] = useTab();
  return (
    <>
      <PageTitle>SUPPORT</PageTitle>
      <Tabs
        value={tab}
        onChange={open}
        keepMounted={false}
        classNames={{ ...tabs, list: `${tabs.list} ${classes.tabs}` }}
      >
        <Tabs.List aria-label="Support">
          {Object.entries(labels).map(([name, label]) => (
            <Tabs.Tab key={name} value={name}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="faq">
          <Faq />
        </Tabs.Panel>
        <Tabs.Panel value="documentation">
          <Documentation />
        </Tabs.Panel>
        <Tabs.Panel value="contact">
          <Contact />
        </Tabs.Panel>
        <Tabs.Panel value="downloads">
          {firmware}
          <StoreLinks />
        </Tabs.Panel>
      </Tabs>
    </>
  );
};
