import { IconPlus } from "@tabler/icons-react";
import { plans, rosters } from "@telltale/contract/domains/alerting/escalation";
import { type ReactNode, useState } from "react";
import { useRecordsRefetch } from "../../session/live/use-live-refetch.ts";
import { useSession } from "../../session/session.ts";
import { useCall } from "../../session/use-call.ts";
import { Button } from "../../ui/control/button.tsx";
import { Loader } from "../../ui/control/loader.tsx";
import { AddButton } from "../../ui/page/add-button.tsx";
import { ErrorState } from "../../ui/page/message.tsx";
import { PageTitle } from "../../ui/page/page-title.tsx";
import { Panel } from "../../ui/page/panel.tsx";
import { useNow } from "../../ui/use-now.ts";
import classes from "./configure-escalation.module.css";
import { Plans } from "./plans/plans.tsx";
import { Rosters } from "./rosters/rosters.tsx";

const minute = 60_000;

/** The beginning of the current minute, epoch milliseconds. */
const useMinute = (): number => Math.floor(useNow(0) / minute) * minute;

/** Who is notified of alerts, step by step, and who is on call. */
export const ConfigureEscalation = (): ReactNode => {
  const { can } = useSession();
  const now = useMinute();
  const ofPlans = useCall(plans.list, {});
  const ofRosters = useCall(rosters.list, {});
  useRecordsRefetch([plans.list, plans.people, rosters.list, rosters.onCall], ["plan", "roster", "contact", "user"]);
  const [plansAsked, setPlansAsked] = useState(0);
  const [rostersAsked, setRostersAsked] = useState(0);
  const buttons = (
    <>
      {can("rosters.write") && (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => setRostersAsked(rostersAsked + 1)}
        >
          Add roster
        </Button>
      )}
      {can("plans.write") && <AddButton label="Add plan" onClick={() => setPlansAsked(plansAsked + 1)} />}
    </>
  );
  const failed = ofPlans.data ? (ofRosters.data ? undefined : ofRosters) : ofPlans;
  return (
    <>
      <PageTitle aside={buttons}>CONFIGURATION-ESCALATION</PageTitle>
      {ofPlans.data && ofRosters.data ? (
        <div className={classes.columns}>
          <Plans all={ofPlans.data} adding={plansAsked} now={now} />
          <Rosters all={ofRosters.data} adding={rostersAsked} now={now} />
        </div>
      ) : (
        <Panel className={classes.loading ?? ""}>
          {failed?.error ? (
            <ErrorState error={failed.error} onRetry={failed.refetch} />
          ) : (
            <Loader size={20} aria-label="Loading" />
          )}
        </Panel>
      )}
    </>
  );
};
