/** The beginning of the name of every database that a test makes on a PostgreSQL server. */
export const testDatabasePrefix = 'verso_test_'
