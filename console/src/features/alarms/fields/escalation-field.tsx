import { Select } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import type { AlarmRow } from "@telltale/contract/domains/alarms";
import { plans } from "@telltale/contract/domains/alerting/escalation";
import type { ReactNode } from "react";
import { fieldClasses, validationError } from "../../../form/text-field.tsx";
import { useCall } from "../../../session/use-call.ts";

/** The escalation plan that the alert follows; the plant's default unless another is chosen. */
export const EscalationField = ({ initial }: { initial: AlarmRow | undefined }): ReactNode => {
  const { data, error } = useCall(plans.list, {});
  const planId = initial?.planId ?? 0;
  const known = data?.map((plan) => ({ value: String(plan.planId), label: plan.planName })) ?? [];
  const isMissing = planId !== 0 && !known.some(({ value }) => value === String(planId));
  const options = [
    { value: "0", label: "The plant's default" },
    ...known,
    ...(isMissing ? [{ value: String(planId), label: initial?.planName ?? "" }] : []),
  ];
  return (
    <Select
      name="planId"
      data-field="planId"
      label="Escalation"
      description="Who is notified besides the recipients, step by step until somebody confirms"
      data={options}
      defaultValue={String(planId)}
      allowDeselect={false}
      error={validationError(error?.message)}
      rightSection={<IconChevronDown size={18} aria-hidden />}
      rightSectionPointerEvents="none"
      classNames={fieldClasses}
    />
  );
};
