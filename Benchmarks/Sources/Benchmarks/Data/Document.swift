import CoreData
import Foundation

/// A document of a small business: three decimals, two small integers, three strings, one of them indexed,
/// and a list that is archived.
final class Document: NSManagedObject {
    private static let netProperty = ManagedProperty("net")
    private static let taxProperty = ManagedProperty("tax")
    private static let totalProperty = ManagedProperty("total")
    private static let kindProperty = ManagedProperty("kind")
    private static let shelfProperty = ManagedProperty("shelf")
    private static let codeProperty = ManagedProperty("code")
    private static let titleProperty = ManagedProperty("title")
    private static let textProperty = ManagedProperty("text")
    private static let labelsProperty = ManagedProperty("labels")

    var net: NSDecimalNumber? {
        get { ManagedAccess.read(self, Self.netProperty) }
        set { ManagedAccess.write(self, Self.netProperty, newValue) }
    }
    var tax: NSDecimalNumber? {
        get { ManagedAccess.read(self, Self.taxProperty) }
        set { ManagedAccess.write(self, Self.taxProperty, newValue) }
    }
    var total: NSDecimalNumber? {
        get { ManagedAccess.read(self, Self.totalProperty) }
        set { ManagedAccess.write(self, Self.totalProperty, newValue) }
    }
    var kind: Int16 {
        get { ManagedAccess.read(self, Self.kindProperty) }
        set { ManagedAccess.write(self, Self.kindProperty, newValue) }
    }
    var shelf: Int16 {
        get { ManagedAccess.read(self, Self.shelfProperty) }
        set { ManagedAccess.write(self, Self.shelfProperty, newValue) }
    }
    var code: String? {
        get { ManagedAccess.read(self, Self.codeProperty) }
        set { ManagedAccess.write(self, Self.codeProperty, newValue) }
    }
    var title: String? {
        get { ManagedAccess.read(self, Self.titleProperty) }
        set { ManagedAccess.write(self, Self.titleProperty, newValue) }
    }
    var text: String? {
        get { ManagedAccess.read(self, Self.textProperty) }
        set { ManagedAccess.write(self, Self.textProperty, newValue) }
    }
    var labels: NSArray? {
        get { ManagedAccess.read(self, Self.labelsProperty) }
        set { ManagedAccess.write(self, Self.labelsProperty, newValue) }
    }

    func fill(_ number: Int) {
        net = Self.decimal(number, 100)
        tax = Self.decimal(number, 19)
        total = Self.decimal(number, 119)
        kind = Int16(number % 7)
        shelf = Int16(number % Self.shelves)
        code = "D-\(number)"
        title = "Document \(number)"
        text = "The text of document \(number), a line or so of it"
        labels = Self.labels(number)
    }

    func change(_ number: Int) {
        title = "Title \(number)"
        total = NSDecimalNumber(value: number)
    }

    static let shelves = 10

    static func decimal(_ number: Int, _ cents: Int) -> NSDecimalNumber {
        NSDecimalNumber(mantissa: UInt64(number * cents), exponent: -2, isNegative: false)
    }

    static func labels(_ number: Int) -> NSArray { ["new", "label \(number % 100)"] }

    /// Returns the columns of a row, with the list already archived.
    static func values(_ number: Int) -> [RawRows.Value] {
        let archive = try? NSKeyedArchiver.archivedData(
            withRootObject: labels(number), requiringSecureCoding: true)
        return [
            .real(decimal(number, 100).doubleValue), .real(decimal(number, 19).doubleValue),
            .real(decimal(number, 119).doubleValue), .integer(Int64(number % 7)),
            .integer(Int64(number % shelves)), .text("D-\(number)"), .text("Document \(number)"),
            .text("The text of document \(number), a line or so of it"), .blob(archive ?? Data()),
        ]
    }

    static func rows(_ count: Int) -> RawRows {
        RawRows((0..<count).map { [.integer(Int64($0 + 1))] + values($0) })
    }

    /// Returns the rows with which a statement makes the changes that `change` makes to the documents.
    static func changes(_ count: Int) -> RawRows {
        RawRows(
            (0..<count).map { number in
                [.text("Title \(number)"), .real(Double(number)), .integer(Int64(number + 1))]
            })
    }

    static let update = "UPDATE ZDOCUMENT SET ZTITLE = ?, ZTOTAL = ?, Z_OPT = Z_OPT + 1 WHERE Z_PK = ?"
    static let insert = """
        INSERT INTO ZDOCUMENT (Z_PK, Z_ENT, Z_OPT, ZNET, ZTAX, ZTOTAL, ZKIND, ZSHELF, ZCODE, ZTITLE, ZTEXT, ZLABELS) \
        VALUES (?, 1, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    static let select = """
        SELECT Z_PK, Z_ENT, Z_OPT, ZNET, ZTAX, ZTOTAL, ZKIND, ZSHELF, ZCODE, ZTITLE, ZTEXT, ZLABELS FROM ZDOCUMENT
        """

    static func makeModel() -> NSManagedObjectModel {
        let entity = NSEntityDescription(
            Document.self, "Document",
            [
                "net": .decimalAttributeType, "tax": .decimalAttributeType, "total": .decimalAttributeType,
                "kind": .integer16AttributeType, "shelf": .integer16AttributeType,
                "code": .stringAttributeType,
                "title": .stringAttributeType, "text": .stringAttributeType,
                "labels": .transformableAttributeType,
            ])
        entity.addIndex(on: "code")
        return NSManagedObjectModel(entity)
    }
}
