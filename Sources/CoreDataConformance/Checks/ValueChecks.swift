import CoreData
import Foundation

extension StoreConformance {
    private static let samples: [(key: String, values: [any Equatable & Sendable])] = [
        (
            "name",
            ["", "plain", "ünïcode 🙂 <&\">", "two\nlines\tand a tab", String(repeating: "long ", count: 100)]
        ),
        ("int16", [Int16.min, 0, Int16.max]), ("int32", [Int32.min, Int32.max]),
        ("int64", [Int64.min, -1, Int64.max]), ("flag", [true, false]),
        ("double", [0.1, -1e300, Double.leastNonzeroMagnitude, 123_456.789]),
        ("float", [Float(0.1), Float(-1.5e10)]),
        ("decimal", [Decimal(string: "0.1")!, Decimal(string: "-12345678.25")!]),
        (
            "date",
            [Date(timeIntervalSinceReferenceDate: 0), Date(timeIntervalSinceReferenceDate: 445_103_622.25)]
        ),
        ("data", [Data(), Data([0, 1, 255]), Data(repeating: 7, count: 1000)]),
        ("uuid", [UUID(uuidString: "12345678-1234-1234-1234-1234567890AB")!]),
        ("uri", [URL(string: "https://example.com/a?b=c#d")!]),
        ("list", [["a", "b"]]),
    ]

    private static func equals(_ value: (any Equatable)?, _ other: Any?) -> Bool {
        func same<Value: Equatable>(_ value: Value) -> Bool { other as? Value == value }
        return value.map { same($0) } ?? (other == nil)
    }

    static let values: [Rule] =
        samples.map { sample in
            Rule("Values of \(sample.key) come back as they were saved") { stage in
                for value in sample.values {
                    let object = stage.insert("Sample", [sample.key: value])
                    try stage.context.save()
                    let other = try stage.sibling().existingObject(with: object.objectID)
                    let found = other.value(forKey: sample.key)
                    try expect(equals(value, found), "\(sample.key) is \(found ?? "nil"), not \(value).")
                }
            }
        } + [
            Rule("Values that are not set are nil, and can be set to nil again") { stage in
                let object = stage.insert("Sample", ["name": "x", "int64": 1, "data": Data([1])])
                try stage.context.save()
                for key in ["name", "int64", "data"] { object.setValue(nil, forKey: key) }
                try stage.context.save()
                let other = try stage.sibling().existingObject(with: object.objectID)
                for sample in samples {
                    try expect(other.value(forKey: sample.key) == nil, "\(sample.key) is not nil.")
                }
            },
            Rule("Decimal numbers have all their digits", needs: .longDecimals) { stage in
                let number = Decimal(string: "-123456789012345678901234567890.12345678")!
                let object = stage.insert("Sample", ["decimal": number])
                try stage.context.save()
                let other = try stage.sibling().existingObject(with: object.objectID)
                try expect(other.value(forKey: "decimal") as? Decimal, is: number, "the number")
            },
            Rule("Derived attributes follow what they are derived from", needs: .derivation) { stage in
                let department = stage.insert("Department", ["name": "Çafé"])
                stage.insert("Employee", ["department": department])
                let second = stage.insert("Employee", ["department": department])
                try stage.context.save()
                func derived() -> [Any?] {
                    stage.context.refresh(department, mergeChanges: false)
                    return [department.value(forKey: "headcount"), department.value(forKey: "plainName")]
                }
                try expect(derived()[0] as? Int, is: 2, "headcount")
                try expect(derived()[1] as? String, is: "cafe", "plainName")
                stage.context.delete(second)
                department.setValue("Bar", forKey: "name")
                try stage.context.save()
                try expect(derived()[0] as? Int, is: 1, "headcount")
                try expect(derived()[1] as? String, is: "bar", "plainName")
            },
        ]
}
