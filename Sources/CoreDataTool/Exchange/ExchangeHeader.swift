import CoreDataJSON
import CoreDataModelFormat
import Foundation

/// The first line of an export: the version of the format, the store's UUID, and the model that a new store
/// needs.
struct ExchangeHeader {
    static let version: Int64 = 1

    let storeUUID: String
    let document: ModelDocument?

    init(storeUUID: String, document: ModelDocument?) {
        self.storeUUID = storeUUID
        self.document = document
    }

    func json() throws -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("coredata", .integer(Self.version)), .init("store", .string(storeUUID)),
        ]
        if let document {
            let model = try CompiledModelWriter(document).mom()
            members.append(.init("model", .string(model.base64EncodedString())))
        }
        return .object(members)
    }

    /// Reads a header; nil if the line is not a header. Throws a `ToolError` for an unknown version, or a
    /// model that is not Base64.
    init?(_ json: JSONValue) throws {
        guard let version = json["coredata"] else { return nil }
        guard case .integer(let number) = version, number == Self.version else {
            throw ToolError("the export is of version \(version.line); this program knows \(Self.version)")
        }
        storeUUID = json["store"]?.string ?? ""
        document = try json["model"]?.string.map { text in
            guard let data = Data(base64Encoded: text) else {
                throw ToolError("the export's model is no Base64")
            }
            return try CompiledModelReader().read(data).document
        }
    }
}
