import CoreDataJSON
import CoreDataStudio
import Testing

@Suite("The log of events")
struct EventLogTests {
    private func lines(_ log: EventLog, after number: Int, count: Int) async throws -> [String] {
        var lines: [String] = []
        for try await line in log.stream(after: number) {
            lines.append(String(decoding: line, as: UTF8.self))
            if lines.count == count { break }
        }
        return lines
    }

    @Test("A page that comes back is told what it missed, in order")
    func replay() async throws {
        let log = EventLog()
        for revision in 1...3 { log.post(.model, .integer(Int64(revision))) }
        #expect(
            try await lines(log, after: 1, count: 2) == [
                "{\"number\":2,\"name\":\"model\",\"data\":2}\n",
                "{\"number\":3,\"name\":\"model\",\"data\":3}\n",
            ])
    }

    @Test("A page that missed more than is kept, or comes from another run, has to read everything again")
    func reset() async throws {
        let log = EventLog()
        for revision in 1...1001 { log.post(.model, .integer(Int64(revision))) }
        let reset = "{\"number\":1001,\"name\":\"reset\",\"data\":null}\n"
        #expect(try await lines(log, after: 0, count: 1) == [reset])
        #expect(try await lines(log, after: 2000, count: 1) == [reset])
    }
}
