import CoreData
import Foundation
import Testing

@Suite("Archives of sort descriptors")
struct SortDescriptorArchiveTests {
    private func archived(_ descriptor: NSSortDescriptor) throws -> Data {
        try NSKeyedArchiver.archivedData(withRootObject: descriptor, requiringSecureCoding: true)
    }

    @Test(
        "A descriptor is equal after archiving",
        arguments: [
            nil, .compare, .caseInsensitiveCompare, .localizedCompare, .localizedCaseInsensitiveCompare,
            .localizedStandardCompare,
        ] as [Selector?])
    func roundTrip(_ selector: Selector?) throws {
        let descriptor = NSSortDescriptor(key: "a.b", ascending: false, selector: selector)
        let copy =
            try NSKeyedUnarchiver.unarchivedObject(
                ofClasses: [NSSortDescriptor.self], from: archived(descriptor)) as? NSSortDescriptor
        #expect(copy == descriptor)
        #expect(copy?.ascending == false)
        #expect(copy?.selector == selector ?? .compare)
    }

    @Test("The archive has Apple's class and keys")
    func names() throws {
        let data = try archived(NSSortDescriptor(key: "name", ascending: true))
        let list = try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
        let objects = try #require(list?["$objects"] as? [Any])
        let fields = try #require(
            objects.lazy.compactMap { $0 as? [String: Any] }.first { $0["NSKey"] != nil })
        #expect(fields["NSAscending"] as? Bool == true)
        #expect(fields["NSSelector"] != nil)
        #expect(objects.contains { ($0 as? [String: Any])?["$classname"] as? String == "NSSortDescriptor" })
        #expect(objects.contains { $0 as? String == "compare:" })
    }

    @Test("A comparison by a closure cannot be archived, and the trap says so")
    func closure() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let descriptor = NSSortDescriptor(key: "name", ascending: true) { _, _ in .orderedSame }
            _ = try NSKeyedArchiver.archivedData(withRootObject: descriptor, requiringSecureCoding: true)
        }
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(output.contains("the sort descriptor by \"name\" compares by a closure"))
    }
}
