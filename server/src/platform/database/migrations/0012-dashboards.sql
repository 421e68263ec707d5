-- Dashboards and groups as they are configured -------------------------------------------------------------------------

-- Raised by every change, so that of two people who edit the same thing the second is told.
ALTER TABLE dashboards ADD COLUMN version int NOT NULL DEFAULT 1;
ALTER TABLE dashboard_groups ADD COLUMN version int NOT NULL DEFAULT 1;

CREATE INDEX dashboards_plant ON dashboards (plant_id);
CREATE INDEX dashboard_groups_plant ON dashboard_groups (plant_id);
-- Where a group is shown, and whose dashboard one is.
CREATE INDEX dashboard_tiles_group ON dashboard_tiles (group_id) WHERE group_id IS NOT NULL;
CREATE INDEX accounts_dashboard ON accounts (dashboard_id) WHERE dashboard_id IS NOT NULL;
