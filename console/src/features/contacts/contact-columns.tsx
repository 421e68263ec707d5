import type { ContactRow } from "@telltale/contract/domains/people/contacts";
import { contactTypeLabels } from "@telltale/contract/notification-channels";
import { contactLook } from "../../domain/contact-status.ts";
import { CellName, CellText, type Column, operationColumn } from "../../table/column.tsx";
import type { FilterInForce } from "../../table/filters/use-filters.ts";
import { StatusLabel } from "../../ui/status/status-label.tsx";
import type { contactFilters } from "./contact-filters.ts";
import { type ContactOperations, OperationCell } from "./operation-cell.tsx";

type ContactColumn = Column<ContactRow>;

/** The columns of the contacts; without `operations` the list is read-only. */
export const contactColumns = (
  by: Readonly<Record<keyof typeof contactFilters, FilterInForce>>,
  operations: ContactOperations | undefined,
): ContactColumn[] => [
  {
    key: "status",
    head: "STATUS",
    width: 120,
    narrow: "top",
    filter: by.status,
    cell: ({ status }) => <StatusLabel {...contactLook(status)} />,
  },
  {
    key: "name",
    head: "NAME",
    width: 200,
    narrow: "top-main",
    cell: ({ name }) => <CellName>{name}</CellName>,
  },
  {
    key: "type",
    head: "TYPE",
    width: 100,
    narrow: "below-end",
    filter: by.type,
    cell: ({ type }) => contactTypeLabels[type],
  },
  {
    key: "contact",
    head: "CONTACT",
    width: 250,
    narrow: "below-main",
    cell: ({ contactInfo }) => <CellText title={contactInfo}>{contactInfo}</CellText>,
  },
  {
    key: "mayConfirm",
    head: "MAY CONFIRM",
    width: 120,
    narrow: "below-end",
    cell: ({ mayConfirm }) => (mayConfirm ? "Yes" : "No"),
  },
  ...operationColumn<ContactRow, ContactOperations>(operations, { width: 128 }, (contact, given) => (
    <OperationCell contact={contact} operations={given} />
  )),
];
