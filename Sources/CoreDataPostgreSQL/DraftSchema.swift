import CoreDataLibpq
import CoreDataSQL
import CoreDataStore
import Foundation

/// A schema in which a store is completed before its tables move to the schema of another place.
///
/// A lock shows that its process needs it. A schema without the lock was left by a process that died, and is
/// dropped when another draft is made in the database.
final class DraftSchema: DraftPlace {
    let url: URL
    private let name: String
    private let session: Session

    private static let prefix = "opencoredata_draft_"

    /// Makes a place in the database of another place.
    init(_ place: String, _ session: Session) throws(SQLError) {
        name = Self.prefix + UUID().uuidString.lowercased().replacing("-", with: "")
        guard let url = Self.url(place, schema: name) else {
            throw SQLError(
                kind: .cannotOpen, message: "the URL has no form in which a schema could be added",
                sql: nil)
        }
        (self.url, self.session) = (url, session)
        try Self.removeAbandoned(on: session)
        try AdvisoryLock.draft.lock(session, schema: name)
    }

    deinit {
        // Without the session another draft removes the schema.
        try? Self.drop(name, on: session)
        session.close()
    }

    private static func url(_ place: String, schema: String) -> URL? {
        guard var parts = URLComponents(string: place) else { return nil }
        let others = parts.percentEncodedQueryItems?.filter { $0.name != "schema" } ?? []
        parts.percentEncodedQueryItems = others + [URLQueryItem(name: "schema", value: schema)]
        return parts.url
    }

    private static func removeAbandoned(on session: Session) throws(SQLError) {
        let query: SQLFragment = """
            SELECT CAST(nspname AS text) FROM pg_namespace WHERE starts_with(nspname, \(bind: .text(prefix)))
            """
        for name in try session.texts(query) where try AdvisoryLock.draft.tryLock(session, schema: name) {
            // Schemas of other users stay.
            try? drop(name, on: session)
        }
    }

    private static func drop(_ name: String, on session: Session) throws(SQLError) {
        try session.execute("DROP SCHEMA IF EXISTS \(SQLIdentifier.foreign(name)) CASCADE")
    }
}
