import { Tabs } from "@mantine/core";
import { IconBrandAndroid, IconBrandApple, IconExternalLink } from "@tabler/icons-react";
import { type SupportItem, SupportType } from "@telltale/contract/domains/support";
import type { ReactNode } from "react";
import { PageTitle } from "../../ui/page/page-title.tsx";
import { Panel } from "../../ui/page/panel.tsx";
import { useNavigate } from "../../ui/router/hooks.ts";
import tabs from "../../ui/tabs.module.css";
import { Contact } from "./contact.tsx";
import { Documentation } from "./documentation.tsx";
import { Faq } from "./faq.tsx";
import { NotSet } from "./not-set.tsx";
import classes from "./support.module.css";
import { SupportItems } from "./support-items.tsx";

const Store = ({ title, url }: SupportItem): ReactNode => (
  <a className={classes.store} href={url} target="_blank" rel="noopener">
    {title === "iOS" ? <IconBrandApple size={20} aria-hidden /> : <IconBrandAndroid size={20} aria-hidden />}
    <span>{title} app</span>
    <IconExternalLink size={15} aria-label="opens in a new tab" />
  </a>
);

/** The phone apps, when the operator provides any. (spec 2 §2) */
const StoreLinks = (): ReactNode => (
  <SupportItems type={SupportType.downloads}>
    {(items) => (
      <Panel title="Apps">
        {items.length > 0 ? (
          <div className={classes.stores}>
            {items.map((item) => (
              <Store key={item.title} {...item} />
            ))}
          </div>
        ) : (
          <NotSet
            what="There is no app to install: the console serves phones as it is."
            variables={["STORE_IOS_URL", "STORE_ANDROID_URL"]}
          />
        )}
      </Panel>
    )}
  </SupportItems>
);

/** The tabs by their name in the page's address; the first is the default. */
const labels = { faq: "FAQ", documentation: "DOCUMENTATION", contact: "CONTACT", downloads: "DOWNLOADS" } as const;
type Tab = keyof typeof labels;

const isTab = (name: string | null | undefined): name is Tab => name !== undefined && name !== null && name in labels;

const useTab = (tab: string | undefined): [Tab, (next: string | null) => void] => {
  const navigate = useNavigate();
  const open = (next: string | null) =>
    void navigate({ to: ".", search: next === "faq" ? {} : { tab: next }, replace: true });
  return [isTab(tab) ? tab : "faq", open];
};

/** Reading material, contacts and downloads: the apps, and `firmware` from the feature of that name. (spec 2 §2) */
export const Support = ({ tab: named, firmware }: { tab: string | undefined; firmware: ReactNode }): ReactNode => {
  const [tab, open] = useTab(named);
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
