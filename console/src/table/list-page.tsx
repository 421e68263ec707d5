import type { ReactNode } from "react";
import { AddButton, type AddButtonProps } from "../ui/page/add-button.tsx";
import { ListHead, type ListHeadProps } from "../ui/page/list-head.tsx";
import classes from "./list-page.module.css";
import { ListScreen, type ListScreenProps } from "./list-screen.tsx";

interface ListPageProps<T>
  extends ListScreenProps<T>,
    Pick<ListHeadProps, "title" | "beside" | "legendKey" | "meanings"> {
  /** The button that adds to the list; absent in a read-only view. */
  add?: AddButtonProps | undefined;
  /** Between the title and the list. */
  notice?: ReactNode;
  /** Refreshes what the page shows besides the list, too. */
  onRefresh?: () => void;
  /** The dialogs of the page, and what stands below the list. */
  children?: ReactNode;
}

/** A page that is one list with states: its head with the legend, the rows, and the dialogs that change them. */
export const ListPage = <T,>(props: ListPageProps<T>): ReactNode => {
  const { title, beside, legendKey, meanings, add, notice, children, onRefresh, ...list } = props;
  return (
    <>
      <ListHead
        {...{ title, beside, legendKey, meanings }}
        onRefresh={onRefresh ?? list.pages.refetch}
        action={add && <AddButton {...add} />}
      >
        {notice}
      </ListHead>
      <ListScreen {...list} />
      {children}
    </>
  );
};

/** A further list on a page, under a title of its own. */
export const ListSection = <T,>({ title, ...list }: ListScreenProps<T> & { title: string }): ReactNode => (
  <section>
    <h2 className={classes.title}>{title}</h2>
    <ListScreen {...list} />
  </section>
);
