import CoreDataJSON
import CoreDataStudioInterface
import CoreDataTool
import Foundation

/// The statement of a list with its values, its plan, and what running it once takes.
struct StatementAnswer {
    private let session: StoreSession
    private let request: WindowRequest

    init(_ body: JSONValue, of session: StoreSession) throws {
        self.session = session
        request = try WindowRequest(body, in: session.model)
    }

    func json() throws -> JSONValue {
        guard session.facts.type == "SQLite" || session.facts.type == "PostgreSQL" else {
            return .object([
                .init("sql", .null),
                .init(
                    "note",
                    .string("a store of type \(session.facts.type) is searched in memory, without SQL")),
            ])
        }
        let statement: RequestStatement
        do {
            statement = try RequestStatement(request.specification, of: session.reopened())
        } catch let error as ToolError {
            return .object([.init("sql", .null), .init("note", .string(error.description))])
        } catch {
            throw StoreFailures.fetch(error)
        }
        var first = request.specification
        first.limit = RowWindow.firstCount
        let clock = ContinuousClock()
        var count = 0
        let time = try clock.measure {
            count = try TimeLimit.run { try session.source.references(first).count }
        }
        guard case .object(let members) = statement.json else { return .null }
        return .object(
            members.filter { $0.key != "plan" } + [
                .init("text", .string(statement.text)),
                .init(
                    "plan",
                    .array(
                        statement.plan.map { line in
                            .object([
                                .init("text", .string(line)), .init("isScan", .boolean(Self.isScan(line))),
                            ])
                        })),
                .init("milliseconds", .double(time / .milliseconds(1))),
                .init("rows", .integer(Int64(count))), .init("limit", .integer(Int64(RowWindow.firstCount))),
            ])
    }

    /// Returns whether a step of the plan reads a whole table.
    private static func isScan(_ line: String) -> Bool {
        let line = line.drop { $0 == " " }
        return line.hasPrefix("SCAN") && !line.contains("INDEX") || line.contains("Seq Scan")
    }
}
