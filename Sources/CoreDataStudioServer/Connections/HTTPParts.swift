#if Studio
import NIOCore
import NIOHTTP1

extension RequestHead {
    /// What the parser read.
    init(_ head: HTTPRequestHead) {
        self.init(head.method.rawValue, head.uri, head.headers.map { Field($0.name, $0.value) })
    }
}

extension ServerResponse {
    /// Returns the answer as it is written, up to the parts of a stream.
    func parts(isKeptAlive: Bool) -> [HTTPServerResponsePart] {
        var headers = HTTPHeaders(fields.map { ($0.name, $0.value) })
        if !isKeptAlive { headers.add(name: "Connection", value: "close") }
        let status = HTTPResponseStatus(statusCode: status)
        guard case .bytes(let bytes) = body else {
            return [.head(HTTPResponseHead(version: .http1_1, status: status, headers: headers))]
        }
        if status != .notModified { headers.add(name: "Content-Length", value: String(bytes.count)) }
        let head = HTTPServerResponsePart.head(
            HTTPResponseHead(version: .http1_1, status: status, headers: headers))
        return bytes.isEmpty
            ? [head, .end(nil)] : [head, .body(.byteBuffer(ByteBuffer(bytes: bytes))), .end(nil)]
    }
}
#endif
