package import CoreDataJSON
import CoreDataSync

/// How a store differs from what its ledger knows, for people.
package struct LedgerComparison: Sendable {
    let differences: [StoreDifference]

    /// Whether the next sync finds everything by itself.
    package var isExpected: Bool { differences.allSatisfy(\.isExpected) }

    package var text: String {
        if differences.isEmpty { return "no difference" }
        var table = TextTable([("", .left), ("", .left), ("", .left)])
        for difference in differences {
            let kind = difference.isExpected ? "edit" : "difference"
            table.append([kind, difference.local, Self.reason(difference.kind)])
        }
        return table.lines.joined(separator: "\n")
    }

    private static func reason(_ kind: StoreDifference.Kind) -> String {
        switch kind {
        case .unknown: "the ledger does not know it"
        case .gone: "the store does not have it any more"
        case .changed: "it has other values than the ledger knows"
        }
    }

    package var json: JSONValue {
        .array(
            differences.map { difference in
                .object([
                    .init("object", .string(difference.local)),
                    .init("kind", .string(difference.kind.rawValue)),
                    .init("expected", .boolean(difference.isExpected)),
                ])
            })
    }
}
