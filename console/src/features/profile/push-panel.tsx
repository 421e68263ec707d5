import { Switch } from "@mantine/core";
import { type PushBrowser, push } from "@telltale/contract/domains/people/push";
import { useState } from "react";
import { browserName } from "../../domain/browser-name.ts";
import { FormMessage } from "../../form/form-message.tsx";
import { client } from "../../session/client.ts";
import { useInvalidate } from "../../session/invalidate.ts";
import { useSession } from "../../session/session.ts";
import { useAction, useCall } from "../../session/use-call.ts";
import { Button } from "../../ui/control/button.tsx";
import { dateTime } from "../../ui/format/time.ts";
import { ErrorState } from "../../ui/page/message.tsx";
import { Panel } from "../../ui/page/panel.tsx";
import classes from "./profile-page.module.css";
import { pushObstacle, subscribeBrowser } from "./push-browser.ts";

interface BrowserProps {
  browser: PushBrowser;
  /** Absent in a read-only view. */
  onRemove: (() => void) | undefined;
}

const Browser = ({ browser: { userAgent, createdTime, sentTime, isCurrent }, onRemove }: BrowserProps) => (
  <li className={classes.browser}>
    <span>
      <b>{browserName(userAgent)}</b>
      {isCurrent && " (this browser)"}
      <small>
        Since {dateTime(createdTime)}, {sentTime === null ? "no alert yet" : `last alert ${dateTime(sentTime)}`}
      </small>
    </span>
    {onRemove && (
      <Button variant="default" size="xs" aria-label={`Remove ${browserName(userAgent)}`} onClick={onRemove}>
        Remove
      </Button>
    )}
  </li>
);

/** Subscribes this browser, which asks the user first; the fault is shown in place. */
const useSubscribe = (publicKey: string) => {
  const invalidate = useInvalidate();
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<string>();
  const subscribe = async (): Promise<void> => {
    setBusy(true);
    setFault(undefined);
    try {
      await client(push.subscribe, await subscribeBrowser(publicKey));
    } catch (error) {
      setFault(error instanceof Error ? error.message : "This browser could not be subscribed: try again");
    }
    setBusy(false);
    invalidate([push.list]);
  };
  return { subscribe, isBusy, fault };
};

interface BrowsersProps {
  publicKey: string;
  browsers: readonly PushBrowser[];
}

const Browsers = ({ publicKey, browsers }: BrowsersProps) => {
  const isWritable = useSession().can("profile.write");
  const { subscribe, isBusy, fault } = useSubscribe(publicKey);
  const remove = useAction(push.remove, { success: "Delete successful", invalidates: [push.list] });
  const current = browsers.find(({ isCurrent }) => isCurrent);
  const obstacle = pushObstacle();
  const change = (isOn: boolean) => {
    if (isOn) void subscribe();
    else if (current) remove.mutate({ pushId: current.pushId });
  };
  return (
    <>
      <Switch
        className={classes.switch}
        label="Send my alerts to this browser"
        description={obstacle ?? "Also while the console is closed. Ends when you sign out here"}
        checked={current !== undefined}
        disabled={!isWritable || isBusy || remove.isPending || (obstacle !== undefined && !current)}
        onChange={(event) => change(event.currentTarget.checked)}
      />
      <FormMessage>{fault}</FormMessage>
      {browsers.length > 0 && (
        <ul className={classes.browsers} aria-label="Browsers that get your alerts">
          {browsers.map((browser) => (
            <Browser
              key={browser.pushId}
              browser={browser}
              onRemove={isWritable ? () => remove.mutate({ pushId: browser.pushId }) : undefined}
            />
          ))}
        </ul>
      )}
    </>
  );
};

/** The browsers that get the user's alerts as push messages. */
export const PushPanel = () => {
  const { data, error, refetch } = useCall(push.list, {});
  return (
    <Panel className={classes.panel}>
      <h2 className={classes.heading}>Push</h2>
      {data && <Browsers {...data} />}
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
    </Panel>
  );
};
