import { secondFactor } from "@telltale/contract/domains/people/sign-ins";
import { type ReactNode, useState } from "react";
import { useSession } from "../../../session/session.ts";
import { useCall } from "../../../session/use-call.ts";
import { ErrorState } from "../../../ui/page/message.tsx";
import { PageTitle } from "../../../ui/page/page-title.tsx";
import { Panel } from "../../../ui/page/panel.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";
import classes from "./second-factor.module.css";
import { TurnOn } from "./turn-on.tsx";
import { TurnedOn } from "./turned-on.tsx";

/** /secondFactor: two-step sign-in with an authenticator app. Recovery codes are shown once, when they are created. */
export const SecondFactor = () => {
  const isWritable = useSession().can("profile.write");
  const { data, error, refetch } = useCall(secondFactor.state, {});
  const [made, setMade] = useState<{ codes: readonly string[]; isLastStep: boolean }>();
  const content = (): ReactNode => {
    if (made) return <RecoveryCodes {...made} onDone={() => setMade(undefined)} />;
    if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
    if (!data) return <p role="status">Loading</p>;
    if (data.isOn)
      return <TurnedOn codesLeft={data.recoveryCodesLeft} onCodes={(codes) => setMade({ codes, isLastStep: false })} />;
    return isWritable ? (
      <TurnOn onCodes={(codes) => setMade({ codes, isLastStep: true })} />
    ) : (
      <p>Two-step sign-in is off.</p>
    );
  };
  return (
    <>
      <PageTitle>Two-step sign-in</PageTitle>
      <Panel className={classes.panel}>{content()}</Panel>
    </>
  );
};
