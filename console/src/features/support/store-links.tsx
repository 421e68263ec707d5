import { IconBrandAndroid, IconBrandApple, IconExternalLink } from "@tabler/icons-react";
import { type SupportItem, SupportType } from "@telltale/contract/support";
import type { ReactNode } from "react";
import { Panel } from "../../ui/panel.tsx";
import { NotSet } from "./not-set.tsx";
import classes from "./store-links.module.css";
import { SupportItems } from "./support-items.tsx";

const Store = ({ title, url }: SupportItem): ReactNode => (
  <a className={classes.store} href={url} target="_blank" rel="noopener">
    {title === "iOS" ? <IconBrandApple size={20} aria-hidden /> : <IconBrandAndroid size={20} aria-hidden />}
    <span>{title} app</span>
    <IconExternalLink size={15} aria-label="opens in a new tab" />
  </a>
);

/** The apps for phones, where the operator has some. (spec 2 §2) */
export const StoreLinks = (): ReactNode => (
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
