import CoreDataSyncCore
import CoreDataSyncServer
import Testing

@Suite("The policy by entity")
struct PolicyTests {
    private static let anna = Caller(user: "anna")
    private static let ben = Caller(user: "ben")
    private static let library = ZoneName(owner: "anna", name: "Library")!

    private static func server(_ allowed: Set<ChangePolicy.Operation>) async throws -> TestServer {
        let server = try await TestServer(policies: [.writer: ChangePolicy(["Book": allowed])])
        try await server.push(server.book(1, "annas", by: 1), to: library, by: 1, anna)
        try await server.service.database.write { connection in
            let directory = ZoneDirectory(connection)
            guard let number = try directory.number(of: library) else { return }
            try directory.set(.writer, of: "ben", in: number)
        }
        return server
    }

    /// Has the writer edit, delete and make a book, and a tag; returns what came of it.
    private static func outcomes(_ server: TestServer) async throws -> [Outcome] {
        let edits =
            [
                server.change(1, "Book", .set("title", .string("bens")), by: 2, after: 1),
                server.change(1, "Book", .existence(2, seen: 1), by: 2, after: 2),
            ] + server.book(2, "new", by: 2) + [server.change(3, "Tag", .existence(1, seen: 0), by: 2)]
        return try await server.push(edits, to: library, by: 2, ben).outcomes
    }

    private static func refusal(_ operation: String) -> Outcome {
        .rejected("the policy does not let this user \(operation) Book")
    }

    @Test("What a role may not do is refused change by change, and the rest is taken")
    func operations() async throws {
        #expect(
            try await Self.outcomes(Self.server([.insert])) == [
                Self.refusal("update"), Self.refusal("delete"), .applied, .applied, .applied,
            ])
        #expect(
            try await Self.outcomes(Self.server([.update])) == [
                .applied, Self.refusal("delete"), Self.refusal("insert"), Self.refusal("insert"), .applied,
            ])
    }

    @Test("A report says what a user may do, and which entities of the policy the model does not have")
    func report() async throws {
        let server = try await Self.server([.insert])
        let policies: [Role: ChangePolicy] = [.writer: ChangePolicy(["Book": [.insert], "Bok": []])]
        func report(of user: String, role: Role? = nil) async throws -> PolicyReport {
            try await server.service.database.read { connection in
                try PolicyReport(of: user, in: Self.library, role: role, policies, on: connection)
            }
        }
        let writer = try await report(of: "ben")
        #expect(writer.role == .writer && writer.unknown == ["Bok"])
        #expect(
            writer.lines.contains("Book     insert")
                && writer.lines.contains("Shelf    insert, update, delete"))
        #expect(try await report(of: "anna").lines.contains("Book     insert, update, delete"))
        #expect(try await report(of: "cleo").role == nil)
        #expect(try await report(of: "cleo", role: .reader).lines.allSatisfy { $0.hasSuffix("  nothing") })
    }

    @Test("What is refused changes nothing, and a role without rules may do all")
    func otherRoles() async throws {
        let server = try await Self.server([])
        _ = try await Self.outcomes(server)
        #expect(try await server.pull(Self.library, Self.anna).titles == [.string("annas"), .null])
        let deletion = server.change(1, "Book", .existence(2, seen: 1), by: 1, after: 5)
        #expect(try await server.push([deletion], to: Self.library, by: 1, Self.anna).outcomes == [.applied])
        // To restore it is to insert it.
        let restored = try await server.service.restore(
            RestoreRequest(objects: [TestServer.id(1)]), in: Self.library, by: Self.ben)
        #expect(restored.living.isEmpty)
    }
}
