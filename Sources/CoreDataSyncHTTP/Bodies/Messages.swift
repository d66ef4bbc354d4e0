#if SyncServer
import CoreDataJSON
import CoreDataSyncCore
import CoreDataSyncServer
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

extension Request {
    /// Reads the body as a tree. What is too long, too deep or no message gets an error before it is used.
    func message(_ limits: ServiceLimits) async throws -> WireValue {
        guard let format = MessageFormat.body(headers),
            let encoding = BodyEncoding(rawValue: (headers[.contentEncoding] ?? "identity").lowercased())
        else {
            throw Answer(
                415, "the body must be application/cbor or application/json, as it is, deflate or gzip")
        }
        let sent = try await bytes(upTo: limits.bodyBytes)
        let bytes = [UInt8](try encoding.body(Data(sent), upTo: limits.bodyBytes))
        switch format {
        case .cbor: return try CBORReader.read(bytes, limits: WireLimits(bytes: limits.bodyBytes))
        case .json:
            do {
                return try WireValue(json: try JSONParser.parse(bytes))
            } catch let error as JSONSyntaxError {
                throw Answer(400, error.description)
            }
        }
    }

    /// The bytes of the body, as the client announces them; zero without a word of it.
    var announcedBytes: Int { headers[.contentLength].map { Int($0) ?? .max } ?? 0 }

    /// Collects the body. Its length is announced, since it is taken from the user's budget before it is read.
    func bytes(upTo limit: Int) async throws -> [UInt8] {
        let length = announcedBytes
        guard length <= limit else { throw Answer(413, "a body has at most \(limit) bytes") }
        do {
            return Array(buffer: try await body.collect(upTo: length))
        } catch is NIOTooManyBytesError {
            throw Answer(411, "Content-Length is missing")
        } catch let error as CancellationError {
            throw error
        } catch {
            throw Answer(400, "the body cannot be read")
        }
    }

    /// Returns the single values of the query; of one that is there several times the last.
    var values: [String: String] {
        Dictionary(
            uri.queryParameters.map { (String($0.key), String($0.value)) }, uniquingKeysWith: { $1 })
    }
}

extension Response {
    /// Makes an answer in the format that the request asks for.
    init(_ message: WireValue, _ status: Int = 200, to request: Request, _ more: HTTPFields = [:]) {
        let format = MessageFormat.answer(request.headers)
        let bytes =
            switch format {
            case .cbor: CBORWriter.bytes(of: message)
            case .json: Array(message.json.line.utf8)
            }
        var fields = more
        fields[.contentType] = format.rawValue
        // Answers are one caller's own, and another a moment later.
        fields[.cacheControl] = "no-store"
        self.init(
            status: HTTPResponse.Status(code: status), headers: fields,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}
#endif
