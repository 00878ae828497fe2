# With a server, best one for tests: makes the records, simulates, and archives them again. The
# check in checks.tf fails the test when nobody would be paged on Sunday at 03:00.
run "someone_is_paged" {}
