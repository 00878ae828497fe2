// Where documents for people are on the server.
export const documentsPath = '/docs';
export const referencePath = `${documentsPath}/api-reference`;
export const guidesPath = `${documentsPath}/integrations`;
export const eventsInPath = `${documentsPath}/events-in`;
