import { IconAlertTriangle } from "@tabler/icons-react";
import { notifiesNobody, type Plan } from "@telltale/contract/domains/alerting/escalation";
import { counted } from "@telltale/contract/text/counted";
import type { ReactNode } from "react";
import classes from "./plan-list.module.css";

const rulesText = ({ isDefault, rules }: Plan): string =>
  isDefault ? "every other alert" : rules === 0 ? "no rules" : counted(rules, "rule");

interface PlanListProps {
  plans: readonly Plan[];
  chosen: number | undefined;
  onChoose: (planId: number) => void;
}

/** The plans, the default first; amber where one notifies nobody. */
export const PlanList = ({ plans, chosen, onChoose }: PlanListProps): ReactNode => (
  <ul className={classes.plans} aria-label="Plans">
    {plans.map((plan) => (
      <li key={plan.planId}>
        <button
          type="button"
          className={classes.plan}
          aria-current={plan.planId === chosen || undefined}
          onClick={() => onChoose(plan.planId)}
        >
          <span className={classes.name}>{plan.planName}</span>
          {plan.isDefault && <span className={classes.badge}>Default</span>}
          {notifiesNobody(plan) ? (
            <span className={classes.nobody}>
              <IconAlertTriangle size={15} aria-hidden />
              {rulesText(plan)}, notifies nobody
            </span>
          ) : (
            <span className={classes.rules}>{rulesText(plan)}</span>
          )}
        </button>
      </li>
    ))}
  </ul>
);
